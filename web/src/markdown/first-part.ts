/** How much of a text is shown before a person asks for all of it. */
export const mostShown = 200_000

/** As much of a text as is shown at first: whole lines, where there are any. */
export function firstPart(text: string): string {
  if (text.length <= mostShown) return text
  const lineEnd = text.lastIndexOf('\n', mostShown)
  if (lineEnd > mostShown / 2) return text.slice(0, lineEnd + 1)
  return text.slice(0, mostShown).replace(/[\uD800-\uDBFF]$/, '')
}
