/** The window's icons by what they stand for: one outline set (Lucide), chosen here and nowhere else. */
import type { Component } from 'svelte';
import AlignLeft from '@lucide/svelte/icons/align-start-vertical';
import AlignCentre from '@lucide/svelte/icons/align-center-vertical';
import AlignRight from '@lucide/svelte/icons/align-end-vertical';
import AlignTop from '@lucide/svelte/icons/align-start-horizontal';
import AlignMiddle from '@lucide/svelte/icons/align-center-horizontal';
import AlignBottom from '@lucide/svelte/icons/align-end-horizontal';
import SpreadAcross from '@lucide/svelte/icons/align-horizontal-distribute-center';
import SpreadDown from '@lucide/svelte/icons/align-vertical-distribute-center';
import Blend from '@lucide/svelte/icons/blend';
import Blur from '@lucide/svelte/icons/droplet';
import Bold from '@lucide/svelte/icons/bold';
import Italic from '@lucide/svelte/icons/italic';
import Unstyled from '@lucide/svelte/icons/remove-formatting';
import Diamond from '@lucide/svelte/icons/diamond';
import AutoKeys from '@lucide/svelte/icons/circle-dot';
import Group from '@lucide/svelte/icons/group';
import Ungroup from '@lucide/svelte/icons/ungroup';
import BringForward from '@lucide/svelte/icons/bring-to-front';
import SendBackward from '@lucide/svelte/icons/send-to-back';
import Lock from '@lucide/svelte/icons/lock';
import Monitor from '@lucide/svelte/icons/monitor';
import Move from '@lucide/svelte/icons/move';
import ArrowDown from '@lucide/svelte/icons/arrow-down';
import ArrowDownToLine from '@lucide/svelte/icons/arrow-down-to-line';
import ArrowLeft from '@lucide/svelte/icons/arrow-left';
import ArrowLeftFromLine from '@lucide/svelte/icons/arrow-left-from-line';
import ArrowRight from '@lucide/svelte/icons/arrow-right';
import ArrowRightFromLine from '@lucide/svelte/icons/arrow-right-from-line';
import ArrowLeftRight from '@lucide/svelte/icons/arrow-left-right';
import Palette from '@lucide/svelte/icons/palette';
import ArrowUp from '@lucide/svelte/icons/arrow-up';
import ArrowUpDown from '@lucide/svelte/icons/arrow-up-down';
import ArrowUpToLine from '@lucide/svelte/icons/arrow-up-to-line';
import Users from '@lucide/svelte/icons/users';
import AudioLines from '@lucide/svelte/icons/audio-lines';
import Ban from '@lucide/svelte/icons/ban';
import Bell from '@lucide/svelte/icons/bell';
import Repeat from '@lucide/svelte/icons/repeat';
import Volume from '@lucide/svelte/icons/volume-2';
import VolumeOff from '@lucide/svelte/icons/volume-x';
import Check from '@lucide/svelte/icons/check';
import ChevronDown from '@lucide/svelte/icons/chevron-down';
import ChevronLeft from '@lucide/svelte/icons/chevron-left';
import ChevronRight from '@lucide/svelte/icons/chevron-right';
import ChevronsLeftRight from '@lucide/svelte/icons/chevrons-left-right';
import ChevronsRightLeft from '@lucide/svelte/icons/chevrons-right-left';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CircleQuestion from '@lucide/svelte/icons/circle-question-mark';
import Clock from '@lucide/svelte/icons/clock';
import CodeXml from '@lucide/svelte/icons/code-xml';
import Paste from '@lucide/svelte/icons/clipboard-paste';
import Crop from '@lucide/svelte/icons/crop';
import Columns from '@lucide/svelte/icons/columns-3';
import Copy from '@lucide/svelte/icons/copy';
import CopyPlus from '@lucide/svelte/icons/copy-plus';
import Download from '@lucide/svelte/icons/download';
import Ellipsis from '@lucide/svelte/icons/ellipsis';
import Eye from '@lucide/svelte/icons/eye';
import EyeOff from '@lucide/svelte/icons/eye-off';
import Film from '@lucide/svelte/icons/film';
import FolderOpen from '@lucide/svelte/icons/folder-open';
import History from '@lucide/svelte/icons/history';
import House from '@lucide/svelte/icons/house';
import Image from '@lucide/svelte/icons/image';
import KeyRound from '@lucide/svelte/icons/key-round';
import Layers from '@lucide/svelte/icons/layers';
import LayoutGrid from '@lucide/svelte/icons/layout-grid';
import Lightbulb from '@lucide/svelte/icons/lightbulb';
import Maximize from '@lucide/svelte/icons/maximize';
import Minimize from '@lucide/svelte/icons/minimize';
import ZoomIn from '@lucide/svelte/icons/zoom-in';
import ZoomOut from '@lucide/svelte/icons/zoom-out';
import Square from '@lucide/svelte/icons/square';
import SquareDashed from '@lucide/svelte/icons/square-dashed';
import Split from '@lucide/svelte/icons/flip-horizontal-2';
import List from '@lucide/svelte/icons/list';
import ListFilter from '@lucide/svelte/icons/list-filter';
import ListVideo from '@lucide/svelte/icons/list-video';
import LoaderCircle from '@lucide/svelte/icons/loader-circle';
import Mic from '@lucide/svelte/icons/mic';
import Music from '@lucide/svelte/icons/music';
import Pause from '@lucide/svelte/icons/pause';
import Pencil from '@lucide/svelte/icons/pencil';
import Play from '@lucide/svelte/icons/play';
import Pipette from '@lucide/svelte/icons/pipette';
import Plus from '@lucide/svelte/icons/plus';
import Redo2 from '@lucide/svelte/icons/redo-2';
import RotateCcw from '@lucide/svelte/icons/rotate-ccw';
import Scissors from '@lucide/svelte/icons/scissors';
import Marker from '@lucide/svelte/icons/bookmark';
import PreviousMarker from '@lucide/svelte/icons/chevron-first';
import NextMarker from '@lucide/svelte/icons/chevron-last';
import Magnet from '@lucide/svelte/icons/magnet';
import RemoveClosing from '@lucide/svelte/icons/delete';
import ClosingUp from '@lucide/svelte/icons/fold-horizontal';
import TrimStart from '@lucide/svelte/icons/panel-left-close';
import TrimEnd from '@lucide/svelte/icons/panel-right-close';
import Panels from '@lucide/svelte/icons/panels-top-left';
import Search from '@lucide/svelte/icons/search';
import Settings from '@lucide/svelte/icons/settings';
import Shapes from '@lucide/svelte/icons/shapes';
import SkipBack from '@lucide/svelte/icons/skip-back';
import SkipForward from '@lucide/svelte/icons/skip-forward';
import Spline from '@lucide/svelte/icons/spline';
import SquareArrowOut from '@lucide/svelte/icons/square-arrow-out-up-right';
import StepBack from '@lucide/svelte/icons/step-back';
import StepForward from '@lucide/svelte/icons/step-forward';
import Table from '@lucide/svelte/icons/table-2';
import Tags from '@lucide/svelte/icons/tags';
import TextCursorInput from '@lucide/svelte/icons/text-cursor-input';
import Trash from '@lucide/svelte/icons/trash';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';
import Type from '@lucide/svelte/icons/type';
import Undo2 from '@lucide/svelte/icons/undo-2';
import Share from '@lucide/svelte/icons/package';
import Upload from '@lucide/svelte/icons/upload';
import WandSparkles from '@lucide/svelte/icons/wand-sparkles';
import X from '@lucide/svelte/icons/x';

/** A drawing of the set. */
export type IconDrawing = Component<{
  size?: number | string;
  strokeWidth?: number | string;
}>;

export const icons = {
  // Pages
  home: House,
  queue: ListVideo,
  templates: LayoutGrid,
  feeds: Table,
  api: CodeXml,
  settings: Settings,
  // States of a render
  clock: Clock,
  pause: Pause,
  fetch: ArrowDownToLine,
  speech: AudioLines,
  microphone: Mic,
  speakers: Users,
  play: Play,
  tick: Check,
  alert: TriangleAlert,
  slashed: Ban,
  // States of a source
  problem: CircleAlert,
  sound: CircleCheck,
  hint: Lightbulb,
  checking: LoaderCircle,
  recovered: History,
  // Kinds of things
  film: Film,
  spline: Spline,
  picture: Image,
  batch: Layers,
  key: KeyRound,
  text: Type,
  music: Music,
  shape: Shapes,
  field: TextCursorInput,
  computer: Monitor,
  // Arranging what is selected in the picture
  alignLeft: AlignLeft,
  alignCentre: AlignCentre,
  alignRight: AlignRight,
  alignTop: AlignTop,
  alignMiddle: AlignMiddle,
  alignBottom: AlignBottom,
  spreadAcross: SpreadAcross,
  spreadDown: SpreadDown,
  bold: Bold,
  italic: Italic,
  unstyled: Unstyled,
  diamond: Diamond,
  autoKeys: AutoKeys,
  group: Group,
  ungroup: Ungroup,
  bringForward: BringForward,
  sendBackward: SendBackward,
  lock: Lock,
  move: Move,
  // The timeline
  split: Scissors,
  magnet: Magnet,
  marker: Marker,
  previousMarker: PreviousMarker,
  nextMarker: NextMarker,
  ripple: ClosingUp,
  removeClosing: RemoveClosing,
  trimStart: TrimStart,
  trimEnd: TrimEnd,
  transition: Blend,
  // Actions and controls
  copy: Copy,
  duplicate: CopyPlus,
  paste: Paste,
  crop: Crop,
  blur: Blur,
  close: X,
  again: RotateCcw,
  open: SquareArrowOut,
  folder: FolderOpen,
  download: Download,
  upload: Upload,
  share: Share,
  search: Search,
  eye: Eye,
  plus: Plus,
  dropper: Pipette,
  more: Ellipsis,
  down: ChevronDown,
  right: ChevronRight,
  back: ArrowLeft,
  swap: ArrowLeftRight,
  palette: Palette,
  help: CircleQuestion,
  bell: Bell,
  trash: Trash,
  rename: Pencil,
  tags: Tags,
  moveUp: ArrowUp,
  moveDown: ArrowDown,
  moveTop: ArrowUpToLine,
  moveBottom: ArrowDownToLine,
  filter: ListFilter,
  sort: ArrowUpDown,
  columns: Columns,
  panels: Panels,
  forward: ArrowRight,
  wider: ChevronsLeftRight,
  narrower: ChevronsRightLeft,
  list: List,
  left: ChevronLeft,
  hidden: EyeOff,
  undo: Undo2,
  redo: Redo2,
  format: WandSparkles,
  toStart: SkipBack,
  toEnd: SkipForward,
  stepBack: StepBack,
  stepOn: StepForward,
  loop: Repeat,
  markFirst: ArrowRightFromLine,
  markLast: ArrowLeftFromLine,
  volume: Volume,
  volumeOff: VolumeOff,
  expand: Maximize,
  shrink: Minimize,
  zoomIn: ZoomIn,
  zoomOut: ZoomOut,
  guides: SquareDashed,
  stop: Square,
  compare: Split,
} as const satisfies Record<string, IconDrawing>;

export type IconName = keyof typeof icons;

/** Icons with a direction: mirrored where text runs from right to left. */
export const turningIcons: readonly IconName[] = ['left', 'right', 'back', 'undo', 'redo', 'open'];

/** States whose icon is filled instead of outlined. */
export const solidIcons: readonly IconName[] = ['play', 'stop'];
