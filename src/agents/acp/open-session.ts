import type { Json } from '../../protocol/json.ts'
import type { JsonRpc } from '../kit/json-rpc.ts'
import { unfit, withLoginAdvice, type Peer } from './handshake.ts'
import { isObject, listOf, objectOf, textOf, type JsonObject } from './messages.ts'
import type { Settings } from './options.ts'

/** Where and how a session is opened. */
export interface SessionWish {
  readonly rpc: JsonRpc
  readonly peer: Peer
  readonly settings: Settings
  readonly cwd: string
  /** The agent's own id of the session to resume. */
  readonly resume: string | null
  readonly signal: AbortSignal
}

/** A session of the agent. */
export interface OpenedSession {
  readonly id: string
  /** Whether it replays its old conversation. */
  readonly replays: boolean
  /** Whether it is the session that was to be resumed. */
  readonly resumed: boolean
}

/** Opens a session, or resumes one in the way that the agent offers, and sets its options. */
export async function openSession(wish: SessionWish): Promise<OpenedSession> {
  const { rpc, settings, peer, signal } = wish
  try {
    if (settings.auth !== null) {
      const method = peer.version === 2 ? 'auth/login' : 'authenticate'
      await rpc.request(method, { methodId: settings.auth }, signal)
    }
    const [opened, reply] = await opening(wish)
    await setUp(wish, opened.id, reply)
    return opened
  } catch (error) {
    throw withLoginAdvice(error, settings, peer)
  }
}

type Opening = readonly [opened: OpenedSession, reply: JsonObject]

async function opening(wish: SessionWish): Promise<Opening> {
  const picked = wish.resume === null ? null : await pickUp(wish, wish.resume)
  return picked ?? openNew(wish)
}

async function pickUp(
  { rpc, peer, settings, cwd, signal }: SessionWish,
  id: string,
): Promise<Opening | null> {
  const method = peer.resume ? 'session/resume' : 'session/load'
  if (!peer.resume && !peer.load) return null
  try {
    const params = { sessionId: id, cwd, mcpServers: settings.mcpServers }
    const reply = objectOf(await rpc.request(method, params, signal))
    return [{ id: textOf(reply['sessionId']) ?? id, replays: !peer.resume, resumed: true }, reply]
  } catch (error) {
    // When the agent lost the session, refusing every prompt would help no one: a new session begins, with a notice.
    if (signal.aborted || !(error instanceof Error) || isLoginError(error)) throw error
    return null
  }
}

function isLoginError(error: Error): boolean {
  return 'details' in error && objectOf(objectOf(error.details as Json)['error'])['code'] === -32000
}

async function openNew({ rpc, settings, cwd, resume, signal }: SessionWish): Promise<Opening> {
  const lost = resume === null ? {} : { _meta: { dragoman: { notResumed: resume } } }
  const reply = objectOf(
    await rpc.request('session/new', { cwd, mcpServers: settings.mcpServers, ...lost }, signal),
  )
  const id = textOf(reply['sessionId'])
  if (id === undefined) throw unfit(`${settings.title} opened a session without an ID.`)
  return [{ id, replays: false, resumed: false }, reply]
}

/** Sets the mode, the model and other options, each in the way that the agent offers. */
async function setUp(
  { rpc, peer, settings, signal }: SessionWish,
  id: string,
  reply: JsonObject,
): Promise<void> {
  const options = listOf(reply['configOptions']).filter(isObject)
  const ofCategory = (category: string) => options.find(option => option['category'] === category)
  const set = (configId: Json, value: string | boolean) => {
    const typed = typeof value === 'boolean' ? { type: 'boolean' } : peer.version === 2 ? { type: 'id' } : {}
    return rpc.request('session/set_config_option', { sessionId: id, configId, value, ...typed }, signal)
  }
  const idOf = (option: JsonObject) => option['configId'] ?? option['id'] ?? null
  const { mode, model, config } = settings
  const modeOption = ofCategory('mode')
  const modelOption = ofCategory('model')
  if (mode !== null && isObject(reply['modes']) && peer.version === 1)
    await rpc.request('session/set_mode', { sessionId: id, modeId: mode }, signal)
  else if (mode !== null && modeOption) await set(idOf(modeOption), mode)
  if (model !== null && modelOption) await set(idOf(modelOption), model)
  else if (model !== null) await rpc.request('session/set_model', { sessionId: id, modelId: model }, signal)
  for (const [configId, value] of Object.entries(config)) await set(configId, value)
}
