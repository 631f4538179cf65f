// Scopes are a list in the code, and one text in the database, separated by spaces.

export function scopeText(scopes: readonly string[]): string {
  return scopes.join(' ');
}

export function scopesIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
