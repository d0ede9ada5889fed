let last = 0

/** A name that nothing else on this page has. */
export function newId(): string {
  last += 1
  return `a${last}`
}
