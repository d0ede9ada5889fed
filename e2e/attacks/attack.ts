import type { Answer, Shot } from './send.ts'

/** One attack: what is sent, and which answers refuse it. */
export interface Attack {
  readonly name: string
  readonly shot: Shot
  /** The statuses that are right; 0 is a connection that was cut. */
  readonly refused: readonly number[]
  /** Whether the answer must explain what to do: not where Node itself refuses. */
  readonly plain?: boolean
}

/** What is wrong with the answer to an attack; null when it was refused correctly. */
export function faultOf(
  { refused, plain = false }: Attack,
  { status, headers, body }: Answer,
): string | null {
  if (!refused.includes(status))
    return `got ${status} instead of ${refused.join(' or ')}: ${body.slice(0, 200)}`
  if (status === 0 || plain) return null
  if (headers['access-control-allow-origin'] !== undefined) return 'lets other sites read the answer'
  if (!String(headers['content-type']).startsWith('application/problem+json')) return 'is no problem JSON'
  const { detail, code, status: said } = JSON.parse(body) as Readonly<Record<string, unknown>>
  if (said !== status || typeof code !== 'string')
    return `has no code or another status: ${body.slice(0, 200)}`
  return typeof detail === 'string' && detail.length > 10 ? null : 'does not say what was wrong'
}
