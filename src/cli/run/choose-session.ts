import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { readCommand, type CommandOf } from '../../protocol/command.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { createNewId } from '../../sessions/new-id.ts'
import { wrongUsage } from '../arguments.ts'
import type { Desk } from '../desk/desk.ts'
import { findSession } from '../find-session.ts'

/** The options that choose the session of a prompt. */
export interface Choice {
  readonly agent: string
  readonly session?: string
  readonly cwd?: string
  readonly title?: string
  readonly script?: string
  readonly options?: string
}

/** A session, and the entry after which the new things in it begin. */
export interface ChosenSession {
  readonly session: SessionId
  readonly after: number
}

/** How a session is to be created. */
export type Creation = CommandOf<'create'> & { readonly session: SessionId }

/** Looks at everything that can be wrong before a folder is opened or a session made; null when one is named that is there. */
export async function readCreation(
  choice: Choice,
  cwd: string,
  agents: readonly Agent[],
  dataFolder: string,
): Promise<Creation | null> {
  if (choice.session === undefined) return checked(creationOf(choice, cwd), agents, dataFolder)
  const fixed = (['cwd', 'title', 'script', 'options'] as const).find(name => choice[name] !== undefined)
  if (fixed !== undefined) throw wrongUsage('run', `--${fixed} works only for a new session.`)
  return null
}

/** Creates the session, or finds the one that was named. */
export async function chooseSession(
  desk: Desk,
  creation: Creation | null,
  named: string,
): Promise<ChosenSession> {
  if (creation === null) {
    const session = await findSession(desk, named)
    return { session, after: await desk.head(session) }
  }
  await desk.create(creation)
  return { session: creation.session, after: 0 }
}

function creationOf({ agent, title, script, options, cwd: given }: Choice, cwd: string): Creation {
  const folder = resolve(cwd, given ?? '.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw wrongUsage('run', `The folder ${folder} does not exist.`)
  const all = {
    ...(options !== undefined && readOptions(options)),
    ...(script !== undefined && { script: resolve(cwd, script) }),
  }
  const command = readCommand({
    type: 'create',
    // Named here, so that asking again after a lost answer does not make a second one.
    session: createNewId()<SessionId>(),
    agent,
    cwd: folder,
    ...(title !== undefined && { title }),
    ...(Object.keys(all).length > 0 && { options: all }),
  })
  return command as Creation
}

/** An agent that is unknown here is left for the server to refuse. */
async function checked(creation: Creation, agents: readonly Agent[], dataFolder: string): Promise<Creation> {
  const { cwd, options = null } = creation
  await agents.find(({ name }) => name === creation.agent)?.check?.({ cwd, options, dataFolder })
  return creation
}

function readOptions(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Said below: what matters is what it should have been.
  }
  throw wrongUsage('run', '--options must be a JSON object.')
}
