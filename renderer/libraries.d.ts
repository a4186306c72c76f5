/** What the packages of icons and emoji hold: they say nothing of it, or all of it word by word. */
declare module 'lucide-static/icon-nodes.json' {
  /** Outlines of each icon: the tag of SVG and its attributes. */
  const nodes: Readonly<
    Record<string, readonly (readonly [string, Readonly<Record<string, string>>])[]>
  >;
  export default nodes;
}

declare module 'lucide-static/tags.json' {
  const tags: Readonly<Record<string, readonly string[]>>;
  export default tags;
}

declare module 'emojibase-data/*/compact.json' {
  const emoji: readonly {
    readonly unicode: string;
    readonly hexcode: string;
    readonly label: string;
    readonly tags?: readonly string[];
    readonly group?: number;
  }[];
  export default emoji;
}
