/** What to inspect: a message, a tool call, or one entry. */
export type InspectTarget =
  | { readonly message: string }
  | { readonly toolCall: string; readonly message: string }
  | { readonly seq: number }
