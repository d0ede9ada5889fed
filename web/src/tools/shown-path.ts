/** A path as a person names it: from the session's folder where it lies in there. */
export const shownPath = (path: string, cwd: string | null | undefined): string =>
  cwd !== null && cwd !== undefined && cwd.length > 1 && path.startsWith(`${cwd.replace(/\/$/, '')}/`)
    ? path.slice(cwd.replace(/\/$/, '').length + 1)
    : path
