import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { Raw } from '../../protocol/event.ts'
import type { PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { Connection, ForkPoint } from '../agent.ts'
import { connect } from './connect.ts'
import { fieldsOf, type Fields } from './messages.ts'

/** Puts a program in Claude Code's place, for one test. */
export function install(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-puppet-'))
  const file = join(folder, 'claude')
  writeFileSync(file, `#!${process.execPath}\n${program}`, { mode: 0o755 })
  vi.stubEnv('DRAGOMAN_CLAUDE_CODE', file)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Prints how it was started, then repeats every line that it reads, and prints what a prompt asks for. */
const parrot = `
  const say = words => process.stdout.write(JSON.stringify(words) + '\\n')
  say({ type: 'started', argv: process.argv.slice(2), env: process.env })
  require('node:readline').createInterface({ input: process.stdin }).on('line', text => {
    const line = JSON.parse(text)
    say({ type: 'heard', line })
    const [first] = line.message?.content ?? []
    for (const words of first?.type === 'text' && first.text.startsWith('[') ? JSON.parse(first.text) : []) say(words)
  })`

/** A connection to a parrot. */
export interface Parrot {
  readonly connection: Connection
  /** Our lines, as they were recorded. */
  readonly recorded: readonly Raw[]
  /** Its next line of a type. */
  next(type: string): Promise<Fields>
  /** The next line that it got from us. */
  nextLine(): Promise<Fields>
  /** Makes it print something. */
  print(...lines: readonly Json[]): Promise<void>
}

/** Connects to a parrot in Claude Code's place. */
export async function connectParrot(
  how: { readonly options?: Json; readonly resume?: string; readonly fork?: ForkPoint } = {},
): Promise<Parrot> {
  const folder = install(parrot)
  const recorded: Raw[] = []
  const connection = await connect({
    cwd: folder,
    resume: how.resume ?? null,
    ...(how.fork && { fork: how.fork }),
    options: how.options ?? null,
    dataFolder: folder,
    signal: new AbortController().signal,
    record(line) {
      recorded.push(line)
      return Promise.resolve()
    },
  })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  const lines = connection.messages[Symbol.asyncIterator]()
  const next = async (type: string): Promise<Fields> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('It ended.')
      const fields = JSON.parse(value.raw) as Fields
      if (fields['type'] === type) return fields
    }
  }
  const nextLine = async () => fieldsOf((await next('heard'))['line']) ?? {}
  return {
    connection,
    recorded,
    next,
    nextLine,
    async print(...output) {
      await connection.prompt('tell' as PromptId, [{ type: 'text', text: JSON.stringify(output) }])
      while ((await nextLine())['type'] !== 'user');
    },
  }
}
