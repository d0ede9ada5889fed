import type { Knock } from './knock.ts'

/** A browser's WebSocket can send no header, so its key is the name of a subprotocol with this prefix. */
export const protocolPrefix = 'dragoman-key.'

/** The key of the page that a request carries, if any. */
export function readBrowserKey(knock: Knock): string | null {
  if (!knock.isUpgrade) return knock.header('x-dragoman-key')
  const protocols = (knock.header('sec-websocket-protocol') ?? '').split(',').map(name => name.trim())
  return protocols.find(name => name.startsWith(protocolPrefix))?.slice(protocolPrefix.length) ?? null
}
