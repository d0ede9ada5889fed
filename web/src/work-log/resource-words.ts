/** An affected resource for display: without its kind, and relative to the session's folder where it is inside it. */
export function resourceWords(resource: string, folder: string | null): string {
  const words = resource.replace(/^[a-z]+:/, '')
  return folder !== null && words.startsWith(`${folder}/`) ? words.slice(folder.length + 1) : words
}
