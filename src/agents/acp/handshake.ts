import { createRequire } from 'node:module'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { JsonRpc } from '../kit/json-rpc.ts'
import { isObject, listOf, numberOf, objectOf, textOf, type JsonObject } from './messages.ts'
import type { Settings } from './options.ts'
import type { PromptAbilities } from './prompt-content.ts'

/** What is known about the agent after the handshake. */
export interface Peer {
  readonly version: 1 | 2
  readonly can: PromptAbilities
  readonly resume: boolean
  readonly load: boolean
  /** The login methods that it offers, in its own words. */
  readonly logins: readonly string[]
}

/** Initializes the agent: the version that both sides support, and its capabilities. */
export async function greet(rpc: JsonRpc, settings: Settings, signal: AbortSignal): Promise<Peer> {
  const result = objectOf(await rpc.request('initialize', greeting(settings), signal))
  const version = numberOf(result['protocolVersion'])
  if (version !== 1 && version !== 2)
    throw unfit(
      `${settings.title} uses version ${version ?? 'unknown'} of the protocol. Dragoman supports versions 1 and 2.`,
    )
  const logins = listOf(result['authMethods']).map(method => textOf(objectOf(method)['name']) ?? '')
  return { version, ...abilities(version, result), logins: logins.filter(Boolean) }
}

const { version: ourVersion } = createRequire(import.meta.url)('../../../package.json') as {
  readonly version: string
}

/**
 * The two versions read different fields, so both are sent: an agent may answer with a lower version than requested.
 */
function greeting({ protocol, files, terminals }: Settings): Json {
  const info = { name: 'dragoman', title: 'Dragoman', version: ourVersion }
  const elicitation = { form: {}, url: {} }
  const first = {
    clientInfo: info,
    clientCapabilities: {
      fs: { readTextFile: files, writeTextFile: files },
      terminal: terminals,
      elicitation,
      session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    },
  }
  const second = { info, capabilities: { elicitation } }
  return { protocolVersion: protocol, ...first, ...(protocol === 2 ? second : {}) }
}

function abilities(version: 1 | 2, result: JsonObject): Pick<Peer, 'can' | 'resume' | 'load'> {
  if (version === 2) {
    const prompt = objectOf(objectOf(objectOf(result['capabilities'])['session'])['prompt'])
    // In version 2 every agent can resume a session.
    return { can: promptAbilities(prompt), resume: true, load: false }
  }
  const can = objectOf(result['agentCapabilities'])
  const sessions = objectOf(can['sessionCapabilities'])
  return {
    can: promptAbilities(objectOf(can['promptCapabilities'])),
    resume: isObject(sessions['resume']),
    load: can['loadSession'] === true,
  }
}

function promptAbilities(can: JsonObject): PromptAbilities {
  const has = (name: string) => can[name] === true || isObject(can[name])
  return { image: has('image'), audio: has('audio'), embeddedContext: has('embeddedContext') }
}

const authRequired = -32000

/** Says what to do when an agent refuses because no user is logged in; any other refusal stays as it is. */
export function withLoginAdvice(error: unknown, { title }: Settings, { logins }: Peer): unknown {
  if (!isDragomanError(error) || objectOf(error.details['error'] as Json)['code'] !== authRequired)
    return error
  const ways = logins.length > 0 ? ` Login methods: ${logins.join(', ')}.` : ''
  return unfit(`${title} is not logged in. Start it once in a terminal and log in.${ways}`)
}

/** The error for an agent that cannot be used. */
export function unfit(message: string): DragomanError {
  return new DragomanError('agent-unavailable', message)
}
