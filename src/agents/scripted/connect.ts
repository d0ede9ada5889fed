import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { Connection, ConnectOptions } from '../agent.ts'
import { openFileAnywhere } from '../kit/confined.ts'
import { PathRefused, type Reach } from '../kit/data-folder.ts'
import { checkOptions, declareOptions, option } from '../kit/declare-options.ts'
import { openLineChannel } from '../kit/line-channel.ts'
import type { HostLine } from './host-line.ts'
import { readScript, type Script } from './script.ts'

const optionsSchema = z.looseObject({
  script: option(z.unknown(), {
    title: 'Script',
    description: 'The full path of a JSON file with a script, or the script itself.',
  }),
  pace: option(z.number().check(z.nonnegative()), {
    title: 'Pace',
    description: 'How slowly it plays: 1 is the usual pace, 0 is without pauses.',
    'x-keeps-rules': true,
  }),
  seed: option(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,40}$/, 'use letters, digits, "_" and "-"')), {
    title: 'Seed',
    description: 'Makes its IDs the same in every run.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
})

/** The options as a JSON schema. */
export const declared = declareOptions(optionsSchema)

type Checked = Pick<ConnectOptions, 'options' | 'cwd' | 'dataFolder'>

/** Checks the options before there is a session: unknown options are refused, and a script must exist and be valid. */
export async function check({ options, cwd, dataFolder }: Checked): Promise<void> {
  checkOptions(optionsSchema, options, 'the scripted agent')
  await greetingOf({ options, cwd, dataFolder, resume: null })
}

/** Starts the scripted agent and sends it the first line. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const hello = await greetingOf(options)
  const channel = openLineChannel({
    ...options,
    command: process.execPath,
    file: programFile(),
    args: [],
  })
  const send = (line: HostLine) => channel.send(JSON.stringify(line))
  try {
    await send(hello)
  } catch (error) {
    await channel[Symbol.asyncDispose]()
    throw error
  }
  return {
    process: channel.process,
    messages: channel.messages,
    logs: channel.logs,
    exit: channel.exit,
    prompt: (id, parts) => send({ type: 'prompt', id, parts }),
    answer: (approval, answer) => send({ type: 'answer', approval, ...answer }),
    interrupt: () => send({ type: 'interrupt' }),
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  }
}

/** The agent's program next to this file, in source or built. */
function programFile(): string {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return fileURLToPath(new URL(`./agent-process.${ending}`, import.meta.url))
}

async function greetingOf({
  options,
  resume,
  cwd,
  dataFolder,
}: Pick<ConnectOptions, 'options' | 'resume' | 'cwd' | 'dataFolder'>): Promise<HostLine> {
  const { script, pace, seed } = checkInput(optionsSchema, options ?? {}, optionsOf('the scripted agent'))
  const given =
    script === undefined || script === null ? null : await scriptOf(script as Json, { cwd, dataFolder })
  return { type: 'hello', resume, script: given, pace: pace ?? paceOfEnvironment(), seed: seed ?? null }
}

function paceOfEnvironment(): number {
  const pace = Number(process.env['DRAGOMAN_SCRIPTED_PACE'] ?? '1')
  return Number.isFinite(pace) && pace >= 0 ? pace : 1
}

async function scriptOf(script: Json, reach: Reach): Promise<Script> {
  if (typeof script !== 'string') return readScript(script, 'The script')
  const path = resolve(reach.cwd, script)
  const text = await readScriptFile(reach, path).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof DragomanError) throw error
    if (error instanceof PathRefused) throw new DragomanError('invalid-input', error.message)
    throw new DragomanError('invalid-input', `Cannot read the script ${path} (${error.code}).`)
  })
  try {
    return readScript(JSON.parse(text), `The script ${path}`)
  } catch (error) {
    if (error instanceof DragomanError) throw error
    throw new DragomanError('invalid-input', `The script ${path} is not valid JSON.`)
  }
}

const longestScript = 16 << 20

/** Only a regular file up to a limit: anything else could block forever. */
async function readScriptFile(reach: Reach, path: string): Promise<string> {
  await using file = await openFileAnywhere(reach, path)
  const found = await file.stat()
  if (!found.isFile() || found.size > longestScript)
    throw new DragomanError('invalid-input', `The script ${path} must be a file of at most 16 MiB.`)
  return await file.readFile('utf8')
}
