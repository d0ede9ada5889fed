import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { readCommand, type CommandOf } from '../../protocol/command.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { isObject, type Json } from '../../protocol/json.ts'
import { createNewId } from '../../sessions/new-id.ts'
import { wrongUsage } from '../arguments.ts'
import { readPreferences } from '../preferences.ts'
import type { Preferences } from '../../server/preferences.ts'
import type { SessionsApi } from '../sessions-api/sessions-api.ts'
import { findSession } from '../find-session.ts'

/** The options that choose the session of a prompt. */
export interface Choice {
  readonly agent: string
  readonly session?: string
  readonly cwd?: string
  readonly title?: string
  readonly script?: string
  readonly options?: string
  /** Options of the agent, each as `NAME=VALUE`. */
  readonly option?: readonly string[]
}

/** A session, and the entry after which new entries start. */
export interface ChosenSession {
  readonly session: SessionId
  readonly after: number
}

/** How to create a session. */
export type Creation = CommandOf<'create'> & { readonly session: SessionId }

/** Checks everything before a folder is opened or a session is created; null if an existing session is named. */
export async function readCreation(
  choice: Choice,
  cwd: string,
  agents: readonly Agent[],
  dataFolder: string,
): Promise<Creation | null> {
  if (choice.session === undefined)
    return checked(creationOf(choice, cwd, readPreferences(dataFolder)), agents, dataFolder)
  const fixed = (['cwd', 'title', 'script'] as const).find(name => choice[name] !== undefined)
  if (fixed !== undefined) throw wrongUsage('run', `--${fixed} works only for a new session.`)
  return null
}

/** Creates the session, or finds the one that was named and changes the given options of its agent. */
export async function chooseSession(
  api: SessionsApi,
  creation: Creation | null,
  choice: Choice,
): Promise<ChosenSession> {
  if (creation === null) {
    const session = await findSession(api, choice.session ?? '')
    const options = optionsIn(choice)
    if (Object.keys(options).length > 0) await api.configure(session, options)
    return { session, after: await api.head(session) }
  }
  await api.create(creation)
  return { session: creation.session, after: 0 }
}

function creationOf(choice: Choice, cwd: string, { options: chosen = {} }: Preferences): Creation {
  const { agent, title, script, cwd: given } = choice
  const folder = resolve(cwd, given ?? '.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw wrongUsage('run', `The folder ${folder} does not exist.`)
  const named = {
    ...optionsIn(choice),
    ...(script !== undefined && { script: resolve(cwd, script) }),
  }
  // As in the app: those chosen there count where none is given.
  const all = Object.keys(named).length > 0 ? named : (chosen[agent] ?? {})
  const command = readCommand({
    type: 'create',
    // The id is chosen here, so that a retry after a lost reply does not create a second session.
    session: createNewId()<SessionId>(),
    agent,
    cwd: folder,
    ...(title !== undefined && { title }),
    ...(Object.keys(all).length > 0 && { options: all }),
  })
  return command as Creation
}

/** The server checks an agent that is unknown here. */
async function checked(creation: Creation, agents: readonly Agent[], dataFolder: string): Promise<Creation> {
  const { cwd, options = null } = creation
  await agents.find(({ name }) => name === creation.agent)?.check?.({ cwd, options, dataFolder })
  return creation
}

/** The options that were given together as JSON, and one by one. */
const optionsIn = ({ options, option = [] }: Choice): Options => ({
  ...(options !== undefined && readOptions(options)),
  ...Object.fromEntries(option.map(readOption)),
})

type Options = CommandOf<'configure'>['options']

/** Numbers, lists, `true`, `false` and `null` are written as in JSON; everything else is text. */
function readOption(given: string): readonly [string, Json] {
  const at = given.indexOf('=')
  if (at < 1) throw wrongUsage('run', '--option needs a name and a value, as in --option model=opus.')
  const text = given.slice(at + 1)
  const value = parseJson(text)
  return [given.slice(0, at), value === undefined ? text : value]
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    // It is not JSON, so it is text.
    return undefined
  }
}

function readOptions(text: string): Options {
  try {
    const value = JSON.parse(text) as Json
    if (isObject(value)) return value
  } catch {
    // Reported below, with what is expected.
  }
  throw wrongUsage('run', '--options must be a JSON object.')
}
