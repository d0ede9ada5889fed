const hidden = '[redacted]'

/**
 * What a secret looks like in the middle of a text, and what is left of it. Each pattern runs in time linear to the
 * text, because anyone may choose what is logged.
 */
const patterns: readonly (readonly [pattern: RegExp, left: string])[] = [
  // Keys on several lines; one that is cut off loses everything that is left of it.
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----[\s\S]*?(?:-----END [A-Z ]{0,40}KEY[A-Z ]{0,20}-----|$)/g,
    hidden,
  ],
  [/\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=]\s*)[^\r\n]+/gi, `$1$2${hidden}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  [/\bdragoman-\d+=[^\s;,"']+/g, `dragoman=${hidden}`],
  [/\b(dragoman-key["']?\s{0,8}[.:=]\s{0,8}["']?)[\w-]+/gi, `$1${hidden}`],
  // The names under which secrets go: in settings, environments, addresses and JSON.
  [
    /\b([\w.-]{0,64}?(?:token|secret|passw(?:or)?d|passphrase|credential|ticket|api[_-]?key|access[_-]?key|private[_-]?key))(\w{0,32}["']?\s*[:=]\s*["']?)[^\s"'&,;]{4,}/gi,
    `$1$2${hidden}`,
  ],
  // The same as options of a command, separated by a space.
  [
    /(\s--?[\w-]{0,64}?(?:token|secret|passw(?:or)?d|passphrase|credential|api[_-]?key|access[_-]?key)(?:[\w-]{0,32}?)\s{1,8}["']?)(?!-)[^\s"']{4,}/gi,
    `$1${hidden}`,
  ],
  [/(\s(?:-u|--user|--proxy-user)[\s=]{1,8}["']?[^\s:"']{1,256}:)[^\s"']{1,512}/g, `$1${hidden}`],
  [/([?&](?:key|sig|signature|auth|access|code|x-amz-signature)=)[^\s&"'#]{6,}/gi, `$1${hidden}`],
  [/(:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,512}@/g, `$1${hidden}@`],
  // The shapes that issuers of keys gave them.
  [/\b(?:sk|pk|rk)[-_](?:[a-z0-9]+[-_]){0,4}[A-Za-z0-9_-]{12,}/g, hidden],
  [/\b(?:gh[opsur]|github_pat|glpat|npm|hf|xai|gsk|pypi)[-_][A-Za-z0-9_-]{12,}/g, hidden],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{8,}/g, hidden],
  [/\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}/g, hidden],
  [/\bAIza[\w-]{30,}/g, hidden],
  [/\bya29\.[\w.-]{10,}/g, hidden],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, hidden],
]

const secretNames =
  /^(?:.*[-_])?(?:token|secret|password|passwd|cookie|set-cookie|authorization|ticket|api[-_]?key|private[-_]?key|credentials?)$/i

/** Whether any value with this name is a secret. */
export const isSecretName = (name: string): boolean => secretNames.test(name)

/** The text with every secret in it hidden: those of a known shape or name, and the given ones. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let left = text
  for (const secret of secrets) if (secret !== '') left = left.replaceAll(secret, hidden)
  for (const [pattern, rest] of patterns) left = left.replaceAll(pattern, rest)
  return left
}
