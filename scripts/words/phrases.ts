/** Unnatural phrases, each with a suggestion. A space in a phrase also matches a line break in a comment. */
export const PHRASES: ReadonlyArray<readonly [phrase: string, instead: string]> = [
  ['who(m|so)?ever', 'name the person or client: anyone who, a client that'],
  ['that which', 'what, or name it'],
  ['(can|to|could|may|might) be had', 'is available, or: you can get'],
  ['tells? (us |you )?of', 'reports, shows, describes'],
  ['need not', "doesn't have to"],
  ['hangs? from', 'depends on'],
  ['is said by', 'say who does it'],
  ['(answers?|answered) [1-5](\\d\\d|XX)', 'returns 404'],
  ['answered with', 'returns, or: the response is'],
  ['(here|there|where)(of|by|with|upon)', 'of it, by it, with it'],
  ['(that|which) (is|are) none', 'say what is wrong: an invalid, an unknown'],
  ['for ever', 'forever'],
  ['without a word', 'silently'],
];
