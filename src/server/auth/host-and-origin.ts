import { DragomanError } from '../../protocol/error.ts'
import type { Knock } from './knock.ts'

/** The names, with their ports, under which this server is asked for. Others are a foreign page's trick. */
export interface Hosts {
  has(host: string): boolean
  add(...hosts: readonly string[]): void
}

/** A list of hosts that are compared exactly, but for capitals. */
export function createHosts(first: readonly string[]): Hosts {
  const hosts = new Set(first.map(lower))
  return {
    has: host => hosts.has(lower(host)),
    add: (...more) => more.forEach(host => hosts.add(lower(host))),
  }
}

const lower = (text: string) => text.toLowerCase()

/** Refuses what comes by a foreign name (DNS rebinding), from a foreign page, or into a foreign frame. */
export function checkHostAndOrigin(knock: Knock, hosts: Hosts): void {
  const { host } = knock
  if (host === null || !hosts.has(host))
    throw refusal(
      `The host name ${quoted(host)} does not belong to this server. Use the address it printed, or start it with --allow-host.`,
    )
  const origin = knock.header('origin')
  if (origin !== null && !isOwn(origin, knock, hosts))
    throw refusal(
      `Pages from ${quoted(origin)} may not use this server. Open the page of this server instead.`,
    )
  if (isForeignFetch(knock))
    throw refusal('This request came from another page. Open the address of this server directly.')
}

/** A page by another scheme is another page: over http anyone on the way can write it. */
function isOwn(origin: string, { scheme }: Knock, hosts: Hosts): boolean {
  const [, ownScheme, host] = /^(https?):\/\/([^/]+)$/i.exec(origin) ?? []
  return host !== undefined && ownScheme?.toLowerCase() === scheme && hosts.has(host)
}

/** Browsers report where a request comes from. From other sites, only a link to the page itself is allowed. */
function isForeignFetch(knock: Knock): boolean {
  const site = knock.header('sec-fetch-site')
  if (site !== 'cross-site' && site !== 'same-site') return false
  const isLink =
    knock.method === 'GET' &&
    knock.path === '/' &&
    knock.header('sec-fetch-mode') === 'navigate' &&
    knock.header('sec-fetch-dest') === 'document'
  return !isLink
}

const quoted = (text: string | null) => (text === null ? 'nothing' : JSON.stringify(text.slice(0, 100)))

const refusal = (message: string) => new DragomanError('not-allowed', message)
