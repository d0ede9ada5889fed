import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { wrongUsage } from '../arguments.ts'
import { readCommand, type CommandOf } from '../../protocol/command.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { findSession } from '../find-session.ts'
import type { House } from '../open-house.ts'

/** What says which session a prompt goes to. */
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

/** Finds the session that was named, or creates one. */
export async function chooseSession(house: House, choice: Choice, cwd: string): Promise<ChosenSession> {
  if (choice.session === undefined) {
    const { session } = await house.sessions.execute(creation(choice, cwd))
    return { session, after: 0 }
  }
  const fixed = (['cwd', 'title', 'script', 'options'] as const).find(name => choice[name] !== undefined)
  if (fixed !== undefined)
    throw wrongUsage('run', `--${fixed} is for a new session; this one has it already.`)
  const session = await findSession(house, choice.session)
  return { session, after: await house.journal.head(session) }
}

function creation({ agent, title, script, options, cwd: given }: Choice, cwd: string): CommandOf<'create'> {
  const folder = resolve(cwd, given ?? '.')
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw wrongUsage('run', `The folder ${folder} is not there.`)
  const all = {
    ...(options !== undefined && readOptions(options)),
    ...(script !== undefined && { script: resolve(cwd, script) }),
  }
  const command = readCommand({
    type: 'create',
    agent,
    cwd: folder,
    ...(title !== undefined && { title }),
    ...(Object.keys(all).length > 0 && { options: all }),
  })
  return command as CommandOf<'create'>
}

function readOptions(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Said below: what matters is what it should have been.
  }
  throw wrongUsage('run', `--options must be a JSON object, not ${text}.`)
}
