import type { Json } from './json.ts'

/** The options that an agent declares: a JSON schema of an object. */
export interface OptionsSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, OptionSchema>>
  readonly [keyword: string]: unknown
}

/** One option as a JSON schema, and how a page offers it. */
export interface OptionSchema extends OptionFacts {
  readonly type?: string
  readonly enum?: readonly Json[]
  readonly items?: OptionSchema
  readonly [keyword: string]: unknown
}

/** What a person reads about an option, and how it is offered. */
export interface OptionFacts {
  /** Its display name. */
  readonly title?: string
  readonly description?: string
  /** Some valid values. Others are valid, too. */
  readonly examples?: readonly Json[]
  /** `bar`: one of the few that people change often. `advanced`: few people need it. Without it: between these. */
  readonly 'x-place'?: 'bar' | 'advanced'
  /** Set if it can only be set when a session is created. */
  readonly 'x-new'?: true
  /** Display names of values. */
  readonly 'x-labels'?: Readonly<Record<string, string>>
  /** What a person should know before choosing a value, as a sentence. */
  readonly 'x-risks'?: Readonly<Record<string, string>>
  /** Set if rules for approvals mean the same whatever its value is. Other changes end the rules of the agent in the session. */
  readonly 'x-keeps-rules'?: true
}
