/** The status of a page that shows the form again, because its content is wrong (RFC 9110, section 15.5.21). */
export const ASK_AGAIN = 422;
