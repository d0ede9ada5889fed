/** The variables of the person's environment that every program may have; none of them holds a secret. */
const harmless = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  ...['ALL', 'ADDRESS', 'COLLATE', 'CTYPE', 'IDENTIFICATION', 'MEASUREMENT', 'MESSAGES'].map(localeOf),
  ...['MONETARY', 'NAME', 'NUMERIC', 'PAPER', 'TELEPHONE', 'TIME'].map(localeOf),
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'TMPDIR',
  'TZ',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
])

/** The environment of an agent: the harmless variables, the named ones, and the given ones. Never all of ours. */
export function agentEnvironment(
  ours: NodeJS.ProcessEnv,
  named: readonly string[] = [],
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const allowed = (name: string) => harmless.has(name) || named.includes(name)
  const passed = Object.entries(ours).filter(([name, value]) => value !== undefined && allowed(name))
  return { ...(Object.fromEntries(passed) as Record<string, string>), ...given }
}

/** The variables of a locale, by full name: any variable could start with `LC_`. */
function localeOf(category: string): string {
  return `LC_${category}`
}
