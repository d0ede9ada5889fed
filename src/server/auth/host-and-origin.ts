import { DragomanError } from '../../protocol/error.ts'
import type { RequestFacts } from './request-facts.ts'

/** The allowed values of the Host header. Others may be DNS rebinding. */
export interface Hosts {
  has(host: string): boolean
  add(...hosts: readonly string[]): void
}

/** A list of hosts, compared exactly except for case. */
export function createHosts(first: readonly string[]): Hosts {
  const hosts = new Set(first.map(lower))
  return {
    has: host => hosts.has(lower(host)),
    add: (...more) => more.forEach(host => hosts.add(lower(host))),
  }
}

const lower = (text: string) => text.toLowerCase()

/** Refuses requests with a foreign Host (DNS rebinding), from a foreign page, or into a foreign frame. */
export function checkHostAndOrigin(facts: RequestFacts, hosts: Hosts): void {
  const { host } = facts
  if (host === null || !hosts.has(host))
    throw refusal(
      `The host name ${quoted(host)} does not belong to this server. Use the address it printed, or start it with --allow-host.`,
    )
  const origin = facts.header('origin')
  if (origin !== null && !isOwn(origin, facts, hosts))
    throw refusal(
      `Pages from ${quoted(origin)} may not use this server. Open the page of this server instead.`,
    )
  if (isForeignFetch(facts))
    throw refusal('This request came from another page. Open the address of this server directly.')
}

/** A page with another scheme is foreign: on plain http, anyone on the network can change it. */
function isOwn(origin: string, { scheme }: RequestFacts, hosts: Hosts): boolean {
  const [, ownScheme, host] = /^(https?):\/\/([^/]+)$/i.exec(origin) ?? []
  return host !== undefined && ownScheme?.toLowerCase() === scheme && hosts.has(host)
}

/** Browsers report where a request comes from. From other sites, only a link to the page itself is allowed. */
function isForeignFetch(facts: RequestFacts): boolean {
  const site = facts.header('sec-fetch-site')
  if (site !== 'cross-site' && site !== 'same-site') return false
  const isLink =
    facts.method === 'GET' &&
    facts.path === '/' &&
    facts.header('sec-fetch-mode') === 'navigate' &&
    facts.header('sec-fetch-dest') === 'document'
  return !isLink
}

const quoted = (text: string | null) => (text === null ? 'nothing' : JSON.stringify(text.slice(0, 100)))

const refusal = (message: string) => new DragomanError('not-allowed', message)
