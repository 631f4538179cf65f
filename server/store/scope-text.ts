// The code has scopes as a list, the database as one text, separated by spaces.

export function scopeText(scopes: readonly string[]): string {
  return scopes.join(' ');
}

export function scopesIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
