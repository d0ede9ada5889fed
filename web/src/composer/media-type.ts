/** Media types that browsers detect correctly and agents accept unchanged. */
const trusted = /^(?:image\/(?!svg)|audio\/|video\/(?!mp2t)|application\/pdf$|text\/(?!vnd\.|x-))/

/**
 * The type of a file as agents want it. Browsers take TypeScript for films and know nothing of most languages; whatever is
 * readable is text, and as such every agent takes it.
 */
export function mediaTypeOf(told: string, content: Uint8Array): string {
  const type = told.split(';')[0]?.trim().toLowerCase() ?? ''
  if (trusted.test(type)) return type
  if (isText(content)) return 'text/plain'
  return type === '' ? 'application/octet-stream' : type
}

/** Whether all of it can be read as UTF-8 and nothing in it is for machines. */
function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return true
  } catch {
    // It throws for bytes that are not text.
    return false
  }
}
