import type { Json, Todo } from 'dragoman'
import type { ShownCall } from './shown-call.ts'

/** A fact about a call: a name and a short value. */
export type Fact = readonly [name: string, value: string]

/** The lines that a search found in one file, or lines that belong to none. */
export interface HitGroup {
  readonly path: string | null
  readonly hits: readonly Hit[]
}

/** A search result line; `near` ones are only context. */
export interface Hit {
  readonly line: number | null
  readonly text: string
  readonly near?: true
}

/** A question to the user, with its options and the answer. */
export interface AskedQuestion {
  readonly title: string | null
  readonly question: string
  readonly options: readonly { readonly label: string; readonly about: string }[]
  readonly answer: string | null
}

/** A picture in an output, as an address that needs no network. */
export interface Picture {
  readonly address: string
  readonly name: string
}

/** One thing that an opened card shows. */
export type Section =
  | { readonly kind: 'diff'; readonly call: ShownCall }
  | {
      readonly kind: 'terminal'
      readonly command: string | null
      readonly output: string
      /** The stderr output, where it is separate. */
      readonly errors: string
    }
  | { readonly kind: 'file'; readonly path: string; readonly first: number; readonly text: string }
  | { readonly kind: 'hits'; readonly groups: readonly HitGroup[] }
  | {
      readonly kind: 'links'
      readonly links: readonly { readonly title: string; readonly address: string }[]
    }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'questions'; readonly questions: readonly AskedQuestion[] }
  | { readonly kind: 'pictures'; readonly pictures: readonly Picture[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'markdown'; readonly title: string | null; readonly text: string }
  | {
      readonly kind: 'text'
      readonly title: string | null
      readonly text: string
      readonly bad?: true
    }
  | { readonly kind: 'data'; readonly title: string; readonly value: Json }
