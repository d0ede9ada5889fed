/** A piece of a model's stream: a text, a pause in milliseconds, a broken connection, or silence for good. */
export type Piece = string | { readonly wait: number } | { readonly end: 'drop' | 'hang' }

/** What a model says or does, whatever its API: each agent has its own tools for it. */
export type Saying =
  | { readonly type: 'text'; readonly pieces: readonly Piece[] }
  | { readonly type: 'thinking'; readonly text: string }
  /** Runs a command, in a given folder where the agent's tool has that parameter. */
  | { readonly type: 'run'; readonly id: string; readonly command: string; readonly folder?: string }
  /** Reads a file. */
  | { readonly type: 'read'; readonly id: string; readonly file: string }
  /** Calls a tool in a way that must fail. */
  | { readonly type: 'fail'; readonly id: string }
  /** Sends a subagent. */
  | { readonly type: 'send'; readonly id: string; readonly task: string; readonly background?: boolean }

/** The answer of a model: its output, a refusal, or that it is busy and must be asked again. */
export type Reply =
  | { readonly says: readonly Saying[] }
  | { readonly refuses: string }
  | { readonly isBusy: true }

/** A request to a model: the conversation as JSON, how many tool results are in it, how many requests came before. */
export interface Heard {
  readonly text: string
  readonly results: number
  readonly before: number
}

/** How a model answers in a scenario. */
export type Script = (heard: Heard) => Reply

/** Words. */
export const text = (...pieces: readonly Piece[]): Saying => ({ type: 'text', pieces })

/** A command. */
export const run = (id: string, command: string, folder?: string): Saying => ({
  type: 'run',
  id,
  command,
  ...(folder !== undefined && { folder }),
})

/** The whole of a file. */
export const read = (id: string, file: string): Saying => ({ type: 'read', id, file })

/** An answer. */
export const says = (...sayings: readonly Saying[]): Reply => ({ says: sayings })

/** First tool calls, then, when a result has come, a text. */
export const callThenSay =
  (calls: readonly Saying[], words: string): Script =>
  ({ results }) =>
    results === 0 ? says(...calls) : says(text(words))

/** How often a text is in another. */
export const countOf = (whole: string, part: string): number => whole.split(part).length - 1
