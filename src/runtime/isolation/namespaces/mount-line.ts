/** One line of an fstab. */
export type MountLine = string;

/** As an fstab wants it: blanks and the like as octal numbers. */
function field(text: string): string {
  return text.replace(/[\s\\#]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** The source is seen at the target as well. */
export function bind(
  source: string,
  target: string,
  options: { readonly readOnly: boolean; readonly recursive: boolean },
): MountLine {
  const words = [options.recursive ? 'rbind' : 'bind', ...(options.readOnly ? ['ro'] : [])];
  return `${field(source)} ${field(target)} none ${words.join(',')} 0 0`;
}

/** A private layer over a folder. */
export function overlay(layers: {
  readonly lower: string;
  readonly upper: string;
  readonly work: string;
  readonly at: string;
}): MountLine {
  const { lower, upper, work, at } = layers;
  return `overlay ${field(at)} overlay lowerdir=${field(lower)},upperdir=${field(upper)},workdir=${field(work)} 0 0`;
}

/** Whether a path can be told to an overlay, whose options give these characters a meaning. */
export function overlayTakes(path: string): boolean {
  return !/[,:\\\s]/.test(path);
}

/** A filesystem of the kernel's. The source's name is ours: `mount -a` leaves out what it takes for mounted already. */
export function kernelFilesystem(type: 'proc' | 'sysfs', at: string, options: string): MountLine {
  return `afloat-${type} ${field(at)} ${type} ${options} 0 0`;
}
