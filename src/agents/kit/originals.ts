import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../../protocol/json.ts'
import { parseJson } from './parse-json.ts'
import { replaceFile } from './replace-file.ts'

/** The original of one changed result. */
interface Original {
  readonly was: Json
  /** Hashes of all its changed versions. */
  readonly made: readonly string[]
}

/** The content of a line with thinking, and a hash of everything that the model got before it. */
export interface KeptThinking {
  readonly content: Json
  readonly after: string
}

/** The originals of changed results of an agent's calls. */
export interface Originals {
  /** Applies a change to the original of a result. A result without a saved original is the original, and is remembered. */
  change(call: string, now: Json, change: (was: Json) => Json): Json
  /** Thinking that was removed; null if there is none. */
  thinking(name: string): KeptThinking | null
  /** Remembers thinking that is removed. */
  keepThinking(name: string, thinking: KeptThinking): void
  /** Saves everything that was remembered since the last save. */
  save(): Promise<void>
}

/**
 * Opens the originals of some calls. They are saved by call and not by session, because copies of a session contain the
 * changed results.
 */
export async function openOriginals(
  dataFolder: string,
  agent: string,
  calls: readonly string[],
): Promise<Originals> {
  const folder = join(dataFolder, 'histories', agent)
  const there = new Set(await readdir(folder).catch((): string[] => []))
  const known = new Map<string, Original | KeptThinking>()
  for (const call of calls) {
    const name = nameOf(call)
    if (!there.has(name)) continue
    const read = parseJson(await readFile(join(folder, name), 'utf8'))
    if (read === undefined) throw new Error(`The saved result of call ${call} cannot be read.`)
    known.set(call, read as object as Original | KeptThinking)
  }
  const news = new Set<string>()
  return {
    change(call, now, change) {
      const kept = known.get(call) as Original | undefined
      // A result that another program has changed since then stays as it is.
      const original = kept?.made.includes(hashOf(now)) ? kept : { was: now, made: [] }
      const next = change(original.was)
      const hash = hashOf(next)
      if (hash === hashOf(original.was) || original.made.includes(hash)) return next
      known.set(call, { was: original.was, made: [...original.made, hash] })
      news.add(call)
      return next
    },
    thinking: name => (known.get(name) ?? null) as KeptThinking | null,
    keepThinking(name, thinking) {
      known.set(name, thinking)
      news.add(name)
    },
    async save() {
      for (const call of news) await replaceFile(join(folder, nameOf(call)), JSON.stringify(known.get(call)))
      news.clear()
    },
  }
}

/** The id of a call may be anything, even a text that is not a valid file name. */
const nameOf = (call: string) => `${hashOf(call)}.json`

const hashOf = (value: Json) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
