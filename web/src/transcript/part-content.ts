import type { DataParts, MessagePart } from 'dragoman'
import type { RowContent } from './row.ts'

/** The context needed to show a part. */
export interface PartSetting {
  /** Outputs that went out shortened, by tool call. */
  readonly shortened: ReadonlyMap<string, DataParts['shortened']>
  readonly thread: string | null
}

type PartOf<Type extends MessagePart['type']> = Extract<MessagePart, { readonly type: Type }>
type Show<Type extends MessagePart['type']> = (part: PartOf<Type>, setting: PartSetting) => RowContent | null

/** The row content of a part; null for parts without a row. */
export function contentOf(part: MessagePart, setting: PartSetting): RowContent | null {
  // A newer server may send part types that are not in the table.
  const show = contents[part.type] as
    | ((part: MessagePart, setting: PartSetting) => RowContent | null)
    | undefined
  return show?.(part, setting) ?? null
}

const nothing = () => null

/** Notices that are more than a line. */
const notices: ReadonlyMap<string, (words: string) => RowContent> = new Map([
  ['compacted', (words: string): RowContent => ({ kind: 'compaction', words })],
  ['said-meanwhile', words => ({ kind: 'meanwhile', words })],
  ['shell-output', output => ({ kind: 'printed', output, errors: '' })],
  ['shell-errors', errors => ({ kind: 'printed', output: '', errors })],
])

const contents: { readonly [Type in MessagePart['type']]: Show<Type> } = {
  text({ text, state }) {
    return text.trim() === '' ? null : { kind: 'text', text, streaming: state === 'streaming' }
  },
  reasoning({ text, state, id: thought = '' }) {
    const streaming = state === 'streaming'
    // Thinking without text still takes time.
    return text.trim() === '' && !streaming ? null : { kind: 'thinking', text, streaming, thought }
  },
  'dynamic-tool': (part, { shortened }) => ({
    kind: 'tool',
    part,
    shortened: shortened.get(part.toolCallId) ?? null,
  }),
  file: file => ({ kind: 'file', file }),
  'data-notice': ({ data }) => notices.get(data.code)?.(data.message) ?? { kind: 'notice', ...data },
  'data-unknown': ({ data: { agent, kind: native } }) => ({ kind: 'unknown', agent, native, count: 1 }),
  // The main conversation's plan is pinned.
  'data-todos': ({ data: { todos } }, { thread }) => (thread === null ? null : { kind: 'plan', todos }),
  'source-url': nothing,
  'source-document': nothing,
  'step-start': nothing,
  'data-session': nothing,
  'data-limits': nothing,
  'data-usage': nothing,
  'data-retracted': nothing,
  'data-subagent': nothing,
  'data-shortened': nothing,
}
