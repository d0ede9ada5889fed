const longest = 100

/** The kind of an error: the same for errors that differ only in names, paths and numbers. */
export function reasonClass(error: string): string {
  if (/^Exit code -?\d{1,12}$/.test(error)) return error
  const [first = ''] = error.split('\n').filter(line => line.trim() !== '')
  const plain = first
    .slice(0, 400)
    .replaceAll(/(["'`“‘])[^"'`”’]{1,200}["'`”’]/g, '…')
    .replaceAll(/\S+/g, word => (word.includes('/') || word.includes('\\') ? '…' : word))
    .replaceAll(/\d+/g, 'N')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain
}
