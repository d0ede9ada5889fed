const monthInSeconds = 30 * 24 * 3600

/** All ports of a host share their cookies, so the name includes the port. */
export const cookieName = (host: string): string => `dragoman-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`

/** The header that gives a browser its cookie. */
export function setCookie(host: string, value: string, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : ''
  return `${cookieName(host)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${monthInSeconds}${secure}`
}

/** All values of a cookie: another server on this host may have set one with the same name. */
export function readCookie(header: string | null, name: string): readonly string[] {
  const pairs = (header ?? '').split(';').map(pair => pair.trim())
  return pairs.filter(pair => pair.startsWith(`${name}=`)).map(pair => pair.slice(name.length + 1))
}
