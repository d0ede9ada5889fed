/** How long the conversation is to be, and where it is kept. */
export interface PageAsked {
  readonly folder: string
  readonly answers: number
}

/** Where it can be opened, and where its chunks can be replayed from. */
export interface PageTold {
  readonly url: string
  readonly token: string
  readonly session: string
  readonly replay: string
}
