/** The status of a page that shows an invalid form again (RFC 9110, section 15.5.21). */
export const ASK_AGAIN = 422;
