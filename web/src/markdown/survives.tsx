import { Component, type ReactNode } from 'react'

interface SurvivesProps {
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** Shows something simpler where what is inside could not be fetched or drawn. */
export class Survives extends Component<SurvivesProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
