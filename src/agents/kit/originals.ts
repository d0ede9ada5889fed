import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../../protocol/json.ts'
import { parseJson } from './parse-json.ts'
import { replaceFile } from './replace-file.ts'

/** What one result was before it was changed. */
interface Original {
  readonly was: Json
  /** Hashes of all that was ever made of it. */
  readonly made: readonly string[]
}

/** What a line with thinking had as its content, and a hash of all that its model was sent before it. */
export interface KeptThinking {
  readonly content: Json
  readonly after: string
}

/** The results of an agent's calls as the agent wrote them, for those that were changed. */
export interface Originals {
  /** Changes the original of a result, or the result itself where it is one; what it was is then remembered. */
  change(call: string, now: Json, change: (was: Json) => Json): Json
  /** Thinking that was taken out; null when none was. */
  thinking(name: string): KeptThinking | null
  /** Remembers thinking that is taken out. */
  keepThinking(name: string, thinking: KeptThinking): void
  /** Saves what was remembered since. */
  save(): Promise<void>
}

/**
 * Opens what is kept of some calls. It is kept by call and not by session, because copies of a session have the results as
 * they were changed.
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
      // A result that another program changed since is left alone.
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

/** A call's name may be anything, also what no file may be called. */
const nameOf = (call: string) => `${hashOf(call)}.json`

const hashOf = (value: Json) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
