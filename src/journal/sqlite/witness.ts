import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'

/** How far a session had come, and the link of its hash chain there. */
export interface Head {
  readonly session: string
  readonly seq: number
  readonly link: string
}

/** How far the write-ahead log had come: its salt and its number of slots. */
export interface WalMark {
  readonly salt: string
  readonly frames: number
}

/** The facts about the database that the witness keeps in a second file, to detect lost data. */
export interface WitnessState {
  /** The sum of each page as the last checkpoint left it. */
  pages: Uint32Array<ArrayBuffer>
  /** The sums of the log's slots at the last checkpoint, which may remain behind the slots in use. */
  slots: Uint32Array<ArrayBuffer>
  mark: WalMark | null
  readonly heads: Map<number, Head>
  /** Whether any line of it could be read. An emptied file has none. */
  isReadable: boolean
  /** Lines that did not match their own sum, the last one aside, which a crash may have cut. */
  damagedLines: number
}

type WitnessLine =
  | { readonly type: 'pages'; readonly sums: string }
  | {
      readonly type: 'checkpoint'
      readonly count: number
      readonly pages: string
      readonly slots: string | null
    }
  | {
      readonly type: 'heads'
      readonly mark: WalMark | null
      readonly heads: readonly (readonly [number, string, number, string])[]
    }

/** The state of an empty witness. */
export const emptyWitness = (): WitnessState => ({
  pages: new Uint32Array(),
  slots: new Uint32Array(),
  mark: null,
  heads: new Map(),
  isReadable: false,
  damagedLines: 0,
})

/** Reads a witness file; undefined without one. */
export function readWitness(path: string): WitnessState | undefined {
  if (!existsSync(path)) return undefined
  const state = emptyWitness()
  const lines = readFileSync(path, 'latin1').split('\n')
  const cut = lines.pop() ?? ''
  for (const [index, line] of lines.entries()) {
    const parsed = parse(line)
    if (parsed !== undefined) apply(state, parsed)
    else if (index < lines.length - 1 || cut === '') state.damagedLines += 1
  }
  return state
}

function parse(line: string): WitnessLine | undefined {
  const text = line.slice(9)
  if (line.slice(0, 8) !== sumOf(text)) return undefined
  return JSON.parse(text) as WitnessLine
}

const sumOf = (text: string) => crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0')

function apply(state: WitnessState, line: WitnessLine) {
  state.isReadable = true
  switch (line.type) {
    case 'pages':
      state.pages = unpackNumbers(line.sums)
      return
    case 'checkpoint': {
      const pages = new Uint32Array(line.count)
      pages.set(state.pages.subarray(0, line.count))
      const changed = unpackNumbers(line.pages)
      for (let i = 0; i < changed.length; i += 2) pages[(changed[i] ?? 1) - 1] = changed[i + 1] ?? 0
      state.pages = pages
      state.slots = line.slots === null ? new Uint32Array() : overlay(state.slots, unpackNumbers(line.slots))
      state.mark = null
      return
    }
    case 'heads':
      state.mark = line.mark
      // A head never goes back: a database that lost entries must not make the witness forget them.
      for (const [no, session, seq, link] of line.heads)
        if (seq >= (state.heads.get(no)?.seq ?? 0)) state.heads.set(no, { session, seq, link })
      return
  }
}

/** A log that is overwritten from its start keeps its old slots behind the new ones. */
function overlay(old: Uint32Array, young: Uint32Array): Uint32Array<ArrayBuffer> {
  const slots = new Uint32Array(Math.max(old.length, young.length))
  slots.set(old)
  slots.set(young)
  return slots
}

/** Keeps the witness file up to date. */
export interface Witness extends Disposable {
  readonly state: WitnessState
  /** Writes the file again if another program changed, emptied or removed it. Returns whether it did. */
  mend(): boolean
  heads(heads: ReadonlyMap<number, Head>, mark: WalMark | null): void
  /** After a checkpoint: the size of the database, the pages it wrote, and the log's slots. On disk when this returns. */
  checkpoint(count: number, changed: ReadonlyMap<number, number>, slots: Uint32Array | null): void
}

const compactAbove = 4 * 1024 * 1024

/** Writes the witness again from a state, so that it never starts with old damage, and opens it. */
export function openWitness(path: string, state: WitnessState): Witness {
  let { file, size } = rewrite(path, state)
  let limit = size * 2 + compactAbove

  const rewriteFile = () => {
    const old = file
    ;({ file, size } = rewrite(path, state))
    closeSync(old)
    limit = size * 2 + compactAbove
  }
  const write = (line: WitnessLine) => {
    apply(state, line)
    // Beyond every size until this line is whole: after a failed write (a full disk) the next one starts afresh.
    const before = size
    size = Number.POSITIVE_INFINITY
    if (before < limit) size = before + writeLine(file, line)
    if (size >= limit) rewriteFile()
  }

  return {
    state,
    mend() {
      const there = statSync(path, { throwIfNoEntry: false })
      // After a failed write the next one starts afresh anyway.
      const isOurs = there?.ino === fstatSync(file).ino && there.size === size
      if (isOurs || !Number.isFinite(size)) return false
      rewriteFile()
      return true
    },
    heads(heads, mark) {
      write({ type: 'heads', mark, heads: headRows(heads) })
    },
    checkpoint(count, changed, slots) {
      const pages = Uint32Array.from([...changed].flat())
      write({ type: 'checkpoint', count, pages: packNumbers(pages), slots: slots && packNumbers(slots) })
      fdatasyncSync(file)
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}

function rewrite(path: string, state: WitnessState): { file: number; size: number } {
  const file = openSync(`${path}.new`, 'w', 0o600)
  const lines: readonly WitnessLine[] = [
    { type: 'pages', sums: packNumbers(state.pages) },
    { type: 'checkpoint', count: state.pages.length, pages: '', slots: packNumbers(state.slots) },
    { type: 'heads', mark: state.mark, heads: headRows(state.heads) },
  ]
  const size = lines.reduce((sum, line) => sum + writeLine(file, line), 0)
  fdatasyncSync(file)
  renameSync(`${path}.new`, path)
  return { file, size }
}

function writeLine(file: number, line: WitnessLine): number {
  const text = JSON.stringify(line)
  return writeSync(file, `${sumOf(text)} ${text}\n`)
}

const headRows = (heads: ReadonlyMap<number, Head>) =>
  [...heads].map(([no, { session, seq, link }]) => [no, session, seq, link] as const)

const packNumbers = (numbers: Uint32Array) =>
  Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64')

function unpackNumbers(text: string): Uint32Array<ArrayBuffer> {
  const bytes = Buffer.from(text, 'base64')
  const numbers = new Uint32Array(Math.floor(bytes.length / 4))
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.readUInt32LE(i * 4)
  return numbers
}
