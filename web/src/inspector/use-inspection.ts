import { useMemo, useState, useCallback, useEffect, useRef } from 'react'
import type { Session } from 'dragoman/client'
import type { Form } from './form.ts'
import type { LineReader, Reading } from './line-reader.ts'
import type { Line } from './line.ts'
import type { Pick } from './pick.ts'
import type { InspectTarget } from './target.ts'
import { useLines } from './use-lines.ts'

/** A look at the lines of a session: which of them are shown, and which one in full. */
export interface Inspection {
  readonly session: string
  readonly target: InspectTarget
  readonly reading: Reading
  readonly reader: LineReader
  /** All lines that were read, or only those of the target. */
  readonly isWhole: boolean
  readonly setWhole: (isWhole: boolean) => void
  readonly shown: readonly Line[]
  readonly form: Form
  readonly setForm: (form: Form) => void
  readonly peeked: Pick | null
  readonly peek: (pick: Pick | null) => void
  readonly pinned: Pick | null
  readonly pin: (pick: Pick) => void
  /** Goes to an entry, wherever it is. */
  readonly jump: (seq: number) => void
}

/** Shows the lines of a target. */
export function useInspection(session: Session, target: InspectTarget): Inspection {
  const { reader, ...reading } = useLines(session, target)
  const { lines, mine } = reading
  const [isWhole, setWhole] = useState('seq' in target)
  const [form, setForm] = useState<Form>('spread')
  const [peeked, peek] = useRested<Pick | null>(null)
  const [chosen, pin] = useState<Pick | null>(null)
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
function useRested<Value>(first: Value): readonly [value: Value, tell: (value: Value) => void] {
  const [value, set] = useState(first)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const told = useRef(first)
  useEffect(() => () => clearTimeout(timer.current), [])
  const tell = useCallback((next: Value) => {
    if (Object.is(next, told.current)) return
    told.current = next
    clearTimeout(timer.current)
    timer.current = setTimeout(() => set(next), restMs)
  }, [])
  return [value, tell]
}
