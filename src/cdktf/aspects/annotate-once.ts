import { AnnotationMetadataEntryType, Annotations } from 'cdktf';
import type { IConstruct } from 'constructs';

const ways = {
  error: { type: AnnotationMetadataEntryType.ERROR, method: 'addError' },
  warning: { type: AnnotationMetadataEntryType.WARN, method: 'addWarning' },
  info: { type: AnnotationMetadataEntryType.INFO, method: 'addInfo' },
} as const;

/** Adds an annotation to a construct, unless an earlier synth has added it: aspects run at each synth. */
export function annotateOnce(construct: IConstruct, level: keyof typeof ways, message: string): void {
  const { type, method } = ways[level];
  if (construct.node.metadata.some((each) => each.type === type && each.data === message)) return;
  Annotations.of(construct)[method](message);
}
