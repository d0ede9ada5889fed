/** A piece of what a model streams: words, a pause in milliseconds, a broken connection, or silence for good. */
export type Piece = string | { readonly wait: number } | { readonly end: 'drop' | 'hang' }

/** What a model says or does, whatever its API: each agent has its own tools for it. */
export type Saying =
  | { readonly type: 'text'; readonly pieces: readonly Piece[] }
  | { readonly type: 'thinking'; readonly text: string }
  /** Runs a command, in a folder of its own where the agent's tool takes one. */
  | { readonly type: 'run'; readonly id: string; readonly command: string; readonly folder?: string }
  /** Reads a file. */
  | { readonly type: 'read'; readonly id: string; readonly file: string }
  /** Calls a tool in a way that must fail. */
  | { readonly type: 'fail'; readonly id: string }
  /** Sends a subagent. */
  | { readonly type: 'send'; readonly id: string; readonly task: string; readonly background?: boolean }

/** What a model answers: what it says, a refusal, or that it is busy just now and should be asked again. */
export type Reply =
  | { readonly says: readonly Saying[] }
  | { readonly refuses: string }
  | { readonly isBusy: true }

/** What a model is asked: the conversation as JSON, how many results of tools are in it, how many requests came before. */
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

/** First what calls tools, then, when a result has come, words. */
export const callThenSay =
  (calls: readonly Saying[], words: string): Script =>
  ({ results }) =>
    results === 0 ? says(...calls) : says(text(words))

/** How often a text is in another. */
export const countOf = (whole: string, part: string): number => whole.split(part).length - 1
