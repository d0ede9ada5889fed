const kept = 'dragoman:recent-commands'
const most = 8

/** Recently used palette items, latest first. */
export function recentlyUsed(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(kept) ?? '[]')
    return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
  } catch {
    // Invalid data was not saved by us.
    return []
  }
}

/** Remembers that something was used. */
export function remember(id: string): void {
  const recent = [id, ...recentlyUsed().filter(each => each !== id)].slice(0, most)
  try {
    localStorage.setItem(kept, JSON.stringify(recent))
  } catch {
    // Without storage, everything is listed in its usual order.
  }
}
