// Scopes are a list in code and a space-separated text in the database.

export function scopeText(scopes: readonly string[]): string {
  return scopes.join(' ');
}

export function scopesIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}
