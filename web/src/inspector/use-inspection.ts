import { useMemo, useState, useCallback, useEffect, useRef } from 'react'
import type { Session } from 'dragoman/client'
import type { LineReader, Reading } from './line-reader.ts'
import type { Line } from './line.ts'
import type { InspectTarget } from './target.ts'
import { useLines } from './use-lines.ts'

/** The inspector's view of the lines of a session: the visible ones, and the one shown in full. */
export interface Inspection {
  readonly session: string
  readonly target: InspectTarget
  readonly reading: Reading
  readonly reader: LineReader
  /** All loaded lines, or only those of the target. */
  readonly isWhole: boolean
  readonly setWhole: (isWhole: boolean) => void
  readonly shown: readonly Line[]
  readonly form: Form
  readonly setForm: (form: Form) => void
  readonly peeked: LinePick | null
  readonly peek: (pick: LinePick | null) => void
  readonly pinned: LinePick | null
  readonly pin: (pick: LinePick) => void
  /** Jumps to any entry. */
  readonly jump: (seq: number) => void
}

/** Shows the lines of a target. */
export function useInspection(session: Session, target: InspectTarget): Inspection {
  const { reader, ...reading } = useLines(session, target)
  const { lines, mine } = reading
  const [isWhole, setWhole] = useState('seq' in target)
  const [form, setForm] = useState<Form>('spread')
  const [peeked, peek] = useRested<LinePick | null>(null)
  const [chosen, pin] = useState<LinePick | null>(null)
  const shown = useMemo(
    () => (isWhole ? lines : lines.filter(({ seq }) => mine.has(seq))),
    [isWhole, lines, mine],
  )
  // A line requested by number is selected; otherwise the first one with chunks.
  const isChosen = 'seq' in target && target.seq > 1
  const first = (isChosen ? undefined : shown.find(({ chunks }) => chunks.length > 0)) ?? shown[0]
  const pinned = chosen ?? (first === undefined ? null : { seq: first.seq, chunk: null })
  const jump = (seq: number) => {
    if (!mine.has(seq)) setWhole(true)
    void reader.jump(seq).then(() => pin({ seq, chunk: null }))
  }
  const look = { form, setForm, peeked, peek, pinned, pin, jump }
  return { session: session.id, target, reading, reader, isWhole, setWhole, shown, ...look }
}

const restMs = 60

/** A value that changes only after a short pause, so that passing the pointer over lines selects nothing. */
function useRested<Value>(first: Value): readonly [value: Value, change: (value: Value) => void] {
  const [value, set] = useState(first)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = useRef(first)
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = useCallback((next: Value) => {
    if (Object.is(next, last.current)) return
    last.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => set(next), restMs)
  }, [])
  return [value, change]
}

/** How a line is displayed: as a tree, formatted, or byte for byte. */
export type Form = keyof typeof forms

/** Labels for the formats. */
export const forms = { tree: 'Tree', spread: 'Formatted', exact: 'Original' } as const

/** The selection: an entry, or one of its chunks. */
export interface LinePick {
  readonly seq: number
  readonly chunk: number | null
}
