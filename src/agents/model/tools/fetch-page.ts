import { lookup } from 'node:dns'
import { request as requestPlainly, type IncomingMessage } from 'node:http'
import { request as requestSafely } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { ToolRefusal } from './tool.ts'

/** A fetched page. */
export interface Page {
  readonly status: number
  readonly mediaType: string
  readonly text: string
  /** The address that it redirects to. */
  readonly location: string | null
  readonly isCut: boolean
}

/** Addresses of this machine and its network, which a page on the web must not lead to. */
const local = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  local.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  local.addSubnet(net, bits, 'ipv6')

/** Whether an address is one of this machine or its network. */
export function isLocal(address: string): boolean {
  const inner = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  return local.check(inner, isIP(inner) === 6 ? 'ipv6' : 'ipv4')
}

const patience = 30_000
const largest = 2 * 1024 * 1024

/** Fetches one page, without following redirects. The connected address is the one that was checked. */
export async function fetchPage(url: URL, allowLocal: boolean, signal: AbortSignal): Promise<Page> {
  const name = url.hostname.replaceAll(/^\[|\]$/g, '')
  if (!allowLocal && isIP(name) !== 0 && isLocal(name)) throw ownNetwork(name)
  const request = url.protocol === 'https:' ? requestSafely : requestPlainly
  const headers = { 'user-agent': 'dragoman', accept: 'text/html, text/*, application/json, */*' }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = { headers, signal: limit, ...(!allowLocal && { lookup: worldOnly }) }
  const asked = request(url, options, resolve)
  asked.on('error', reject)
  asked.end()
  return readPage(await promise)
}

/** A name may resolve to any address, so the address is checked at the moment of connecting. */
const worldOnly: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    const bad = addresses.find(({ address }) => isLocal(address))
    if (bad !== undefined) return done(ownNetwork(hostname), [])
    if (options.all === true) return done(null, addresses)
    const [first] = addresses
    done(null, first?.address ?? '', first?.family)
  })
}

const ownNetwork = (name: string) =>
  new ToolRefusal(`${name} is in this machine's local network, and pages there are not fetched.`)

async function readPage(response: IncomingMessage): Promise<Page> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece)
    size += piece.length
    if (size > largest) break
  }
  response.destroy()
  const text = Buffer.concat(pieces).subarray(0, largest).toString('utf8')
  const { 'content-type': type = '', location } = response.headers
  const status = response.statusCode ?? 0
  const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? ''
  return { status, mediaType, text, location: location ?? null, isCut: size > largest }
}
