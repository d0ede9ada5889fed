import type * as z from 'zod/mini'
import type { CallName } from './paths.ts'
import type { replies } from './replies.ts'
import type { requests } from './requests.ts'

type Schemas<Name extends CallName> = Name extends keyof typeof requests ? (typeof requests)[Name] : object
type Part<Name extends CallName, Key extends string> =
  Schemas<Name> extends Readonly<Record<Key, infer Schema extends z.core.$ZodType>> ? Schema : never

/** What a handler of a call gets, checked and read. */
export interface Received<Name extends CallName> {
  readonly params: z.output<Part<Name, 'params'>>
  readonly query: z.output<Part<Name, 'query'>>
  readonly body: z.output<Part<Name, 'body'>>
}

/** What a caller sends: the parameters of path and query as texts or numbers, and the body. */
export type Sent<Name extends CallName> = {
  readonly [Key in 'params' | 'body' as [Part<Name, Key>] extends [never] ? never : Key]: z.input<
    Part<Name, Key>
  >
} & {
  readonly [Key in 'query' as [Part<Name, Key>] extends [never] ? never : Key]?: z.input<Part<Name, Key>>
}

/** What a call gives back: JSON of a known shape, or nothing that has one. */
export type Replied<Name extends CallName> = Name extends keyof typeof replies
  ? z.output<(typeof replies)[Name]>
  : undefined
