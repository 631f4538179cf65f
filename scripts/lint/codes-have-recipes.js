/**
 * Reports each failure whose example lacks `x-sandbox-recipe`, and each code in the `error` header that lacks a recipe.
 */
export default function codesHaveRecipes(response, _options, { path }) {
  const examples = Object.entries(response?.content?.['application/json']?.examples ?? {});
  const shown = examples.map(([name, example]) => ({
    code: example.value?.error,
    recipe: example['x-sandbox-recipe'],
    path: [...path, 'content', 'application/json', 'examples', name],
  }));
  const bare = (response?.headers?.error?.schema?.enum ?? [])
    .filter((code) => !shown.some((failure) => failure.code === code))
    .map((code) => ({ code, recipe: response['x-sandbox-recipes']?.[code], path }));
  return [...shown, ...bare]
    .filter(({ recipe }) => !/\w.*\.$/.test(recipe ?? ''))
    .map(({ code, path: where }) => ({
      message: `The failure ${code} needs x-sandbox-recipe: sentences that say how to cause it.`,
      path: where,
    }));
}
