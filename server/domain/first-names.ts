// biome-ignore format: one name per line would fill a screen
export const FIRST_NAMES = [
  'Ada', 'Amir', 'Ana', 'Andre', 'Beatriz', 'Bilal', 'Carlos', 'Carmen', 'Chen', 'Chloe', 'Daniel', 'Deepa', 'Diego',
  'Elena', 'Emeka', 'Fatima', 'Felix', 'Grace', 'Hana', 'Hugo', 'Imani', 'Ivan', 'Jamal', 'Jin', 'Joana', 'Kofi', 'Lars',
  'Leila', 'Lucia', 'Marcus', 'Maria', 'Mei', 'Miguel', 'Nadia', 'Noah', 'Olga', 'Omar', 'Priya', 'Rafael', 'Rosa', 'Sam',
  'Sofia', 'Tariq', 'Theo', 'Uma', 'Viktor', 'Wanda', 'Yara', 'Yusuf', 'Zoe',
] as const;
