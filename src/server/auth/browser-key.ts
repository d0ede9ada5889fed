import type { RequestFacts } from './request-facts.ts'

/** A browser cannot send headers with a WebSocket, so the key is a subprotocol name with this prefix. */
export const protocolPrefix = 'dragoman-key.'

/** The page key in a request, if any. */
export function readBrowserKey(facts: RequestFacts): string | null {
  if (!facts.isUpgrade) return facts.header('x-dragoman-key')
  const protocols = (facts.header('sec-websocket-protocol') ?? '').split(',').map(name => name.trim())
  return protocols.find(name => name.startsWith(protocolPrefix))?.slice(protocolPrefix.length) ?? null
}
