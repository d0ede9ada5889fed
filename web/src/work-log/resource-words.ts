/** What a call touched, as a person names it: without its kind, and from the session's folder where it lies in there. */
export function resourceWords(resource: string, folder: string | null): string {
  const words = resource.replace(/^[a-z]+:/, '')
  return folder !== null && words.startsWith(`${folder}/`) ? words.slice(folder.length + 1) : words
}
