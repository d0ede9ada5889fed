/** A path for display: relative to the session's folder where it is inside it. */
export const shownPath = (path: string, cwd: string | null | undefined): string =>
  cwd !== null && cwd !== undefined && cwd.length > 1 && path.startsWith(`${cwd.replace(/\/$/, '')}/`)
    ? path.slice(cwd.replace(/\/$/, '').length + 1)
    : path
