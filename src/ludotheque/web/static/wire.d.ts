// What goes over the wire. Written by scripts/wire_types.py from the server's own definitions.

export type FromClient = MoveMessage | UndoMessage | UndoAnswerMessage | ResignMessage | OfferEndMessage | AnswerEndOfferMessage | ChatMessage | LookMessage | RefreshMessage | PingMessage;

export type ToClient = SeatsMessage | ChatLinesMessage | DoneMessage | ErrorMessage | PongMessage | TableView;

export interface AcceptChallenge {
  commitment?: string;
}

export interface AccuracyView {
  games: number;
  decisions: number;
  good: number;
  mistakes: number;
  loss: number;
  parts: Array<number>;
  kinds: Array<MistakesView>;
}

export interface AddPasskey {
  client_data: string;
  attestation: string;
}

export interface AnswerEndOffer {
  agree: boolean;
}

export interface AnswerEndOfferMessage {
  type: "answer_end_offer";
  agree: boolean;
  id?: number | null;
}

export interface Bar {
  number: number;
  most: number;
  colour: string;
}

export interface BotRating {
  level: string;
  rating: number;
  margin: number;
}

export interface BotsHealth {
  running: number;
  waiting: number;
}

export interface Branch {
  ply: number;
  seat: number;
  level: string;
  line?: number;
}

export interface BranchTable {
  url: string;
  from_ply: number;
  ply: number;
  over: boolean;
}

export interface Branches {
  open: boolean;
  branched_from: Position | null;
  branches: Array<BranchTable>;
}

export interface Breakdown {
  seat: number;
  start: number;
  luck: number;
  own_moves: number;
  others_moves: number;
  unforeseen: number;
  end: number;
  avoidable_loss: number;
  decisions: number;
  margin: number;
}

export interface BrowserSolving {
  tries?: Record<string, boolean>;
  solved?: Array<string>;
  days?: Array<string>;
}

export interface ChallengeView {
  table: Summary;
  name: string;
  picture: string;
}

export interface Chat {
  text?: string;
  ready?: string;
}

export interface ChatLine {
  id: number;
  seat: number;
  name: string;
  text: string;
  time: string;
  ready: string;
}

export interface ChatLinesMessage {
  type: "chat";
  messages: Array<ChatLine>;
}

export interface ChatMessage {
  type: "chat";
  text?: string;
  ready?: string;
  id?: number | null;
}

export interface ClockRule {
  kind: "days" | "game" | "move";
  seconds: number;
  increment?: number;
}

export interface ClockView {
  kind: "days" | "game" | "move";
  seconds: number;
  increment: number;
  left: Array<number>;
  running: number;
}

export type Close = Record<string, never>;

export type ClubCommand = Record<string, never>;

export interface ClubLink {
  url: string;
}

export interface ClubResults {
  game: string;
  games: number;
  members: Array<MemberResult>;
}

export interface ClubView {
  id: string;
  url: string;
  name: string;
  member: boolean;
  leader: boolean;
  members: Array<MemberView>;
  tables: Array<Summary>;
  tournaments: Array<ListedTournament>;
  results: Array<ClubResults>;
}

export interface Commit {
  seat: number;
  commitment: string;
}

export interface ConfirmReminder {
  token: string;
}

export interface Confirmed {
  url: string;
}

export interface CountedTry {
  change: number;
  days: number;
  solving: GameSolving;
}

export interface CrossCell {
  points: number | null;
  opponents: Array<number>;
  table: string;
  decided: "" | "bye" | "forfeit" | "played";
}

export interface CrossRow {
  player: number;
  cells: Array<CrossCell | null>;
}

export interface Decline {
  secret: string;
}

export interface DiceView {
  commitment: string;
  seed: string;
  since: number;
  state: "closed" | "open" | "reveal";
  nonces: Array<Nonce>;
  redeals: number;
}

export interface Done {
  version: number;
  ply: number;
  outcome: "asked" | "done" | "refused";
}

export interface DoneMessage {
  type: "done";
  reply_to: number | null;
  version: number;
  ply: number;
  outcome: string;
}

export interface Draft {
  scene: RenderedScene | null;
  choices: Array<RenderedChoice>;
}

export interface Draw {
  ply: number;
  drawn: number;
  outcomes: Array<[number, string]>;
}

export interface Draws {
  commitment: string;
  seed: string;
  since: number;
  nonces: Array<Nonce>;
  draws: Array<Draw>;
}

export interface EndOffer {
  agreed: Array<number>;
  refused: Array<number>;
  ply: number;
}

export interface EndPush {
  endpoint: string;
}

export type EndSpectatorLinks = Record<string, never>;

export interface Enter {
  password: string;
}

export interface EntrantView {
  number: number;
  name: string;
  picture: string;
  gone: boolean;
  me: boolean;
}

export interface ErrorMessage {
  type: "error";
  reply_to: number | null;
  error: string;
  sentence: string;
}

export interface Film {
  frames: Array<Frame>;
  lines: Array<FilmedLine>;
}

export interface FilmedLine {
  ply: number;
  played: RenderedGhost;
  better: RenderedGhost;
  line: RenderedGameLine;
}

export interface FixedPointsCard {
  seats: Array<number>;
  settings: Record<string, unknown>;
  levels: Array<BotRating>;
}

export interface Forfeit {
  table: number;
  player: number;
}

export interface Frame {
  lines: Array<string>;
  scene: SceneChange;
}

export interface FreeSeat {
  seat: number;
  colour: string;
  colour_name: string;
  letter: string;
  name: string;
}

export interface GameCard {
  name: string;
  title: string;
  sentence: string;
  min_players: number;
  max_players: number;
  options: Array<OptionCard>;
  has_hidden_information: boolean;
  picture: string;
  rules: string;
  lessons: Array<LessonLink>;
  puzzle: string;
  variants: Array<VariantCard>;
  cover: string;
  styles: Array<StyleCard>;
  merged: Array<MergedCard>;
  fixed_points: Array<FixedPointsCard>;
}

export interface GameRecord {
  score: number;
  score_table: string;
  longest: number;
  streak: number;
}

export interface GameResults {
  game: string;
  title: string;
  tally: Tally;
  players: Array<PlayersTally>;
  record: GameRecord;
  openings: Array<OpeningView>;
  accuracy: AccuracyView | null;
}

export interface GameSolving {
  game: string;
  rating: number;
  tries: number;
  run: number;
  best: number;
  tried: Record<string, number>;
  solved: Array<string>;
}

export interface GameStatistics {
  game: string;
  title: string;
  played: number;
  moves: Lengths;
  seats: Array<SeatResult>;
  levels: Array<LevelResult>;
}

export interface GiveAddress {
  address: string;
}

export interface Health {
  status: string;
  version: string;
  games: Array<string>;
  tables: number;
  sockets: number;
  bots: BotsHealth;
}

export interface HintMove {
  action: number;
  keys: Array<string>;
  words: string;
  drawn: Array<string | RenderedPicture>;
  share: number;
  margin: number;
  result: string;
  result_margin: number;
  exact: boolean;
  certain: boolean;
  reason: string;
  ghost: RenderedGhost;
}

export interface HintRequest {
  seat: number;
  version: number;
  thorough?: boolean;
}

export interface Hints {
  moves: Array<HintMove>;
}

export interface Invitation {
  seat: number;
  is_settled: boolean;
  free: Array<FreeSeat>;
  host: string;
  others: Array<string>;
  clock: ClockRule | null;
  minutes: number;
  rated: boolean;
}

export interface Join {
  secret: string;
  seat?: number | null;
  name?: string;
  commitment?: string;
  password?: string;
  watch?: boolean;
}

export type Leave = Record<string, never>;

export interface Lengths {
  shortest: number;
  mean: number;
  longest: number;
}

export interface LessonLink {
  name: string;
  title: string;
  url: string;
}

export interface LessonPicks {
  step?: number;
  actions?: Array<number>;
  action?: number | null;
  picks: Array<string>;
}

export interface LessonPlace {
  step?: number;
  actions?: Array<number>;
  action?: number | null;
}

export interface LessonView {
  step: number;
  steps: number;
  actions: Array<number>;
  text: string;
  section: number;
  is_waiting: boolean;
  is_over: boolean;
  verdict: "" | "right" | "wrong";
  sentence: string;
  highlights: Array<string>;
  tried: RenderedGhost | null;
  board: StudyBoard;
}

export interface LevelCard {
  level: string;
  name: string;
  has_styles: boolean;
}

export interface LevelResult {
  who: string;
  level: string;
  name: string;
  played: number;
  wins: number;
  even: number;
  score: number;
}

export interface LinePosition {
  ply: number;
  to_move: number;
  scene: SceneChange;
  log: Array<RenderedLine>;
  marks: Array<PlayedMove>;
}

export interface Link {
  url: string;
}

export interface LinkedProfile {
  name: string;
  picture: string;
  tables: number;
}

export interface ListedClub {
  id: string;
  name: string;
  members: number;
}

export interface ListedTournament {
  id: string;
  title: string;
  game: string;
  state: "open" | "over" | "running";
  round: number;
  players: number;
  updated: string;
}

export interface LookAtInvitation {
  secret: string;
}

export interface LookMessage {
  type: "look";
  id?: number | null;
  seat: number;
}

export interface MatchSummaryView {
  unit: string;
  has_worth: boolean;
  over: boolean;
  sources: Array<SourceView>;
  moments: Array<MomentView>;
}

export interface MemberResult {
  profile: string;
  tally: Tally;
}

export interface MemberView {
  profile: string;
  name: string;
  picture: string;
  leader: boolean;
  me: boolean;
  can_be_challenged: boolean;
}

export interface MergedCard {
  levels: Array<string>;
  seats: Array<number>;
  settings: Record<string, unknown>;
}

export interface MistakeView {
  ply: number;
  seat: number;
  loss: number;
  words: string;
}

export interface MistakesView {
  words: string;
  decisions: number;
  mistakes: number;
  loss: number;
}

export interface MomentView {
  ply: number;
  who: number;
  words: Array<string>;
  scores: Array<number>;
  worth: Array<number>;
  expected_shares: Array<number>;
  expected_scores: Array<number>;
}

export interface Move {
  seat: number;
  version: number;
  action?: number | null;
  then?: Array<number>;
  text?: string | null;
}

export interface MoveMessage {
  type: "move";
  seat: number;
  version: number;
  action?: number | null;
  then?: Array<number>;
  text?: string | null;
  id?: number | null;
}

export interface Mute {
  seat: number;
  muted?: boolean;
}

export interface MyProfile {
  id: string;
  name: string;
  picture: string;
  url: string;
  visible_to: "all" | "me" | "met";
  created: string;
}

export interface NewClub {
  name: string;
}

export interface NewClubView {
  id: string;
  url: string;
}

export interface NewLink {
  seat: number | null;
  replace?: boolean;
}

export interface NewPasskey {
  challenge: string;
  host: string;
  handle: string;
  name: string;
  known: Array<string>;
  algorithms: Array<number>;
}

export interface NewRecord {
  record: string;
}

export interface NewRecovery {
  stored?: Record<string, string>;
}

export interface NewSeat {
  who: "bot" | "link" | "me" | "open";
  name?: string;
  level?: string;
  commitment?: string;
  profile?: string;
}

export interface NewTable {
  game: string;
  seats: Array<NewSeat>;
  options?: Record<string, unknown>;
  watch?: boolean;
  watchable?: boolean;
  pace?: number | null;
  hints?: boolean;
  clock?: ClockRule | null;
  rated?: boolean;
  shared_dice?: boolean;
}

export interface NewTournament {
  title: string;
  game: string;
  system: "groups" | "knockout" | "round-robin" | "swiss";
  seats?: number;
  rounds?: number;
  clock: string;
  hours: number;
  options?: Record<string, boolean | number | string>;
  rated?: boolean;
  plays?: boolean;
  club?: string;
}

export interface NewTournamentView {
  id: string;
  url: string;
}

export interface Nonce {
  seat: number;
  commitment: string;
  nonce?: string;
}

export type OfferEnd = Record<string, never>;

export interface OfferEndMessage {
  type: "offer_end";
  id?: number | null;
}

export interface Ok {
  done: true;
}

export interface Opened {
  id: string;
  url: string;
  links: Array<SeatLink>;
  link: string;
  watch: string;
  commitment: string;
}

export interface OpeningView {
  words: string;
  played: number;
  wins: number;
}

export interface OperatorClubs {
  clubs: Array<ListedClub>;
}

export interface OperatorSettings {
  public_list: boolean;
}

export interface OperatorTournaments {
  tournaments: Array<ListedTournament>;
}

export interface OperatorView {
  public_list: boolean;
  tables: Array<Summary>;
}

export interface Opponent {
  name: string;
  profile: string;
  level: string;
  tally: Tally;
  better: number;
  last: string;
}

export interface OptionCard {
  name: string;
  help: string;
  kind: string;
  default: unknown;
  choices: Array<number | string>;
  sentences: Array<string>;
}

export interface Pace {
  seconds: number;
  paused: boolean;
}

export interface PairMe {
  games: Array<string>;
  players: Array<number>;
  clocks: Array<string>;
  rated?: boolean;
  name?: string;
}

export interface PairingView {
  url: string;
  waits: boolean;
  people: number;
}

export interface PasskeyChallenge {
  challenge: string;
  host: string;
}

export interface PersonMet {
  profile: string;
  name: string;
  picture: string;
  played: number;
  wins: number;
  better: number;
  last: string | null;
  muted: boolean;
  blocked: boolean;
}

export interface PingMessage {
  type: "ping";
  id?: number | null;
}

export interface PlayedMove {
  ply: number;
  seat: number;
  colour: string;
  ghost: RenderedGhost;
  gains: Array<number>;
}

export interface PlayersTally {
  players: number;
  tally: Tally;
}

export interface PongMessage {
  type: "pong";
  reply_to: number | null;
}

export interface Position {
  url: string;
  ply: number;
}

export interface PremoveChoice {
  key: string;
  label: string;
  lowest: number;
  highest: number;
}

export interface PremovesView {
  situation: string;
  choices: Array<PremoveChoice>;
  key: string;
  amount: number;
}

export interface Preview {
  ghost: RenderedGhost;
  lines: Array<string>;
  gains?: Array<number>;
}

export type ProfileCommand = Record<string, never>;

export interface ProfileLink {
  url: string;
  expires: string;
}

export interface ProfileResults {
  tally: Tally;
  games: Array<GameResults>;
  opponents: Array<Opponent>;
}

export interface ProfileSecret {
  secret: string;
}

export interface Progress {
  state: "done" | "failed" | "none" | "outdated" | "running";
  done: number;
  total: number;
  simulations: number;
  seconds: number;
  bot: string;
  problem: string;
}

export interface PushKey {
  key: string;
}

export interface PuzzleAnswer {
  is_best: boolean;
  is_known: boolean;
  tried: RenderedGhost;
  moves: Array<HintMove>;
  idea: string;
  line: RenderedGameLine | null;
  counted: CountedTry | null;
}

export interface PuzzleAnswerTry {
  action: number;
  rated?: boolean;
}

export interface PuzzleEntry {
  id: string;
  difficulty: number;
  rating: number;
}

export interface PuzzlePicks {
  picks: Array<string>;
}

export interface PuzzleTry {
  action: number;
}

export interface RankedPerson {
  name: string;
  picture: string;
  url: string;
  rating: number;
  margin: number;
  played: number;
}

export interface Readiness {
  ready: boolean;
  database: boolean;
  listener: boolean;
}

export interface Recovered {
  tables: number;
  stored: Record<string, string>;
}

export interface RecoveryLink {
  url: string;
  expires: string;
}

export interface RefreshMessage {
  type: "refresh";
  id?: number | null;
}

export interface Refusal {
  reason: string;
}

export type RefuseRematch = Record<string, never>;

export interface Rematch {
  shared_dice?: boolean;
  now?: boolean;
}

export interface RematchRequest {
  agreed: Array<number>;
  refused: Array<number>;
}

export interface ReminderView {
  address: string;
  confirmed: boolean;
}

export interface RemoveMember {
  profile: string;
}

export interface RemovePasskey {
  id: string;
}

export interface Rename {
  seat: number;
  name: string;
}

export interface RenderedCardRow {
  mark: RenderedMark;
  words: string;
  amount: string;
  places: Array<string>;
}

export interface RenderedChoice {
  key: string;
  label: string;
  children?: Array<RenderedChoice>;
  action?: number | null;
  tag?: string;
  warning?: string;
  next?: Array<RenderedChoice>;
  asks?: string;
}

export interface RenderedDecision {
  ply: number;
  seat: number;
  move: string;
  words: string;
  as_seen: RenderedJudgement;
  with_hindsight: RenderedJudgement | null;
}

export interface RenderedEventCard {
  ply: number;
  title: string;
  text: string;
  rows: Array<RenderedCardRow>;
  places: Array<string>;
  board: RenderedScene | null;
}

export interface RenderedGameLine {
  start: number;
  positions: Array<LinePosition>;
}

export interface RenderedGauge {
  event: string;
  label: string;
  at: number;
  end: number;
  meaning: string;
}

export interface RenderedGhost {
  pieces?: Array<RenderedPiece>;
  changes?: Array<RenderedPiece>;
  gone?: Array<string>;
}

export interface RenderedJudgement {
  before: Array<number>;
  after: Array<number>;
  scores_before: Array<number>;
  scores_after: Array<number>;
  score_margins: Array<number>;
  effect: string;
  loss: number;
  best: string;
  better: string;
  follows: Array<string>;
  error: number;
}

export interface RenderedLine {
  ply: number;
  text: string;
  short?: string | null;
  seat?: number;
  drawn?: Array<string | RenderedPicture>;
}

export interface RenderedMark {
  colour: string;
  letter: string;
  text: string | number;
}

export interface RenderedPicture {
  symbol: string;
  words: string;
  turn?: number;
}

export interface RenderedPiece {
  id: string;
  symbol?: string;
  path?: string;
  text?: string;
  x?: number;
  y?: number;
  turn?: number;
  elevation?: number;
  body?: Solid | null;
  classes?: string;
  label?: string;
  where?: string;
  step?: string;
  lights?: string;
  along?: string;
  in_tray?: boolean;
}

export interface RenderedScene {
  title: string;
  width: number;
  height: number;
  tray_width: number;
  tray_height: number;
  legible: number;
  thickness: number;
  base: number | null;
  pieces: Array<RenderedPiece>;
  gone: Array<string>;
  follows: Record<string, string>;
  tables: Array<RenderedTable>;
  gauges: Array<RenderedGauge>;
  sheet: RenderedSheet | null;
  asks: string;
  continues: boolean;
}

export interface RenderedSheet {
  title: string;
  mark: RenderedMark;
  facts: Array<Array<string | number | Array<RenderedMark> | Bar>>;
  table: RenderedTable;
  note: string;
}

export interface RenderedTable {
  caption: string;
  head: Array<string>;
  rows: Array<Array<string | number | Array<RenderedMark> | Bar>>;
  lists_seats?: boolean;
  marked?: number;
  brief?: number;
  own?: Array<number>;
}

export interface ReplaceBot {
  seat: number;
  level?: string;
}

export interface Report {
  text: string;
}

export type ReportCommand = Record<string, never>;

export interface ReportLine {
  line: number;
}

export interface ReportName {
  name: string;
}

export interface Resign {
  seat: number;
}

export interface ResignMessage {
  type: "resign";
  seat: number;
  id?: number | null;
}

export interface Restrict {
  muted?: boolean;
  blocked?: boolean;
}

export interface ResultView {
  scores: Array<number>;
  score_texts: Array<string>;
  returns: Array<number>;
}

export interface Reveal {
  seat: number;
  nonce: string;
}

export interface ReviewRequest {
  simulations?: number;
  seconds?: number;
  bot?: string;
}

export interface ReviewView {
  progress: Progress;
  decisions: Array<RenderedDecision>;
  mistakes: Array<MistakeView>;
  breakdowns: Array<Breakdown>;
  margin: number;
}

export interface ReviewedMove {
  played: RenderedGhost;
  better: RenderedGhost | null;
}

export interface RoundTableView {
  number: number;
  table: string;
  players: Array<number>;
  points: Array<number>;
  decided: "" | "bye" | "forfeit" | "played";
  mine: boolean;
}

export interface RoundView {
  number: number;
  tables: Array<RoundTableView>;
}

export interface SceneChange {
  title: string;
  width: number;
  height: number;
  tray_width?: number;
  tray_height?: number;
  legible?: number;
  thickness?: number;
  pieces: Array<RenderedPiece>;
  gone?: Array<string>;
  follows?: Record<string, string>;
  tables?: Array<RenderedTable> | null;
}

export interface SeatLink {
  seat: number;
  url: string;
}

export interface SeatResult {
  players: number;
  seat: number;
  played: number;
  wins: number;
  score: number;
}

export interface SeatTaken {
  seat: number;
}

export interface SeatToFree {
  seat: number;
}

export interface SeatView {
  seat: number;
  name: string;
  who: "bot" | "person";
  level: string;
  open: boolean;
  taken: boolean;
  present: boolean;
  mine: boolean;
  thinking: boolean;
  stopped: string;
  browsers: number;
  colour: string;
  colour_name: string;
  letter: string;
  hints: number;
  stands_in: boolean;
  lent: boolean;
  held: boolean;
  resigned: number | null;
  timed_out: boolean;
  declined: boolean;
  late: boolean;
}

export interface SeatsMessage {
  type: "seats";
  seats: Array<SeatView>;
  watchers: number;
  pace: Pace;
  clock: ClockView | null;
}

export interface SetPace {
  seconds?: number;
  paused?: boolean;
}

export interface SetPassword {
  password: string;
}

export interface SetPremove {
  seat: number;
  situation: string;
  key?: string;
  amount?: number;
}

export interface SetProfile {
  name: string;
  visible_to?: "all" | "me" | "met";
}

export interface SetWatchable {
  watchable: boolean;
}

export interface Sit {
  seat: number;
  name?: string;
  commitment?: string;
}

export interface Solid {
  outline: Array<[number, number]>;
  thickness: number;
}

export interface Solving {
  has_profile: boolean;
  days: number;
  games: Array<GameSolving>;
}

export interface SourceView {
  name: string;
  amounts: Array<number>;
}

export interface Standing {
  player: number;
  points: number;
  buchholz: number;
  sonneborn: number;
  direct: number;
  wins: number;
  played: number;
  rank: number;
}

export type Start = Record<string, never>;

export interface StartPush {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface Statistics {
  played: number;
  games: Array<GameStatistics>;
}

export interface StoredReport {
  id: number;
  club: string | null;
  table: string | null;
  game: string | null;
  seat: number | null;
  line: number | null;
  person: string | null;
  name: string;
  text: string;
  reporter: string | null;
  time: string;
}

export interface StudyBoard {
  scene: RenderedScene;
  choices: Array<RenderedChoice>;
  log: Array<RenderedLine>;
}

export interface StyleCard {
  style: string;
  name: string;
  about: string;
}

export interface Substitute {
  seat: number;
  level?: string;
}

export interface Summary {
  id: string;
  url: string;
  game: string;
  title: string;
  names: Array<string>;
  seats: Array<number>;
  host: boolean;
  ply: number;
  to_move: number;
  my_turn: boolean;
  over: boolean;
  updated: string;
  kind?: "branch" | "lesson" | "played" | "puzzle" | "record";
  open?: Array<number>;
  problem?: "" | "not-installed" | "other-version";
  locked?: boolean;
  closed?: boolean;
  rematch?: string;
  rematch_asked?: boolean;
  seated?: Array<string>;
  people?: Array<string>;
  watchers?: number;
  clock?: ClockRule | null;
  minutes?: number;
  rated?: boolean;
  language?: string;
  awaited?: boolean;
  challenger?: string;
  tournament?: TournamentRound | null;
}

export interface TableView {
  type: "view";
  version: number;
  ply: number;
  last_ply: number;
  to_move: number;
  over: boolean;
  viewer: number;
  hand_over: number | null;
  scene: RenderedScene;
  choices: Array<RenderedChoice>;
  log_from: number;
  log: Array<RenderedLine>;
  since: number | null;
  cards: Array<RenderedEventCard>;
  comments: Record<string, string>;
  undo: "" | "ask" | "free";
  undo_request: UndoRequest | null;
  end_offer: EndOffer | null;
  result: ResultView | null;
  clock: ClockView | null;
  ahead: PremovesView | null;
  played?: Array<PlayedMove>;
  table: string;
  game: string;
  title: string;
  kind: "branch" | "lesson" | "played" | "puzzle" | "record";
  mine: Array<number>;
  host: boolean;
  closed: boolean;
  locked: boolean;
  watchable: boolean;
  muted: Array<number>;
  seats: Array<SeatView>;
  watchers: number;
  pace: Pace;
  dice: DiceView | null;
  backdrop: string;
  styles: string;
  rated: boolean;
  tournament: TournamentRound | null;
  hints: boolean;
  abandoned: boolean;
  rematch: string;
  rematch_request: RematchRequest | null;
  begins_rematch: boolean;
  awaited: Array<number>;
  observation?: Record<string, unknown>;
}

export interface Tally {
  played: number;
  wins: number;
  even: number;
}

export type TournamentCommand = Record<string, never>;

export interface TournamentLink {
  url: string;
}

export interface TournamentRound {
  id: string;
  title: string;
  round: number;
}

export interface TournamentView {
  id: string;
  url: string;
  title: string;
  game: string;
  game_title: string;
  system: "groups" | "knockout" | "round-robin" | "swiss";
  seats: number;
  rounds: number;
  round: number;
  state: "open" | "over" | "running";
  deadline: string | null;
  clock: ClockRule;
  rated: boolean;
  organiser: boolean;
  me: number;
  my_table: string;
  my_bye: boolean;
  players: Array<EntrantView>;
  standings: Array<Standing>;
  tables: Array<RoundView>;
  cross: Array<CrossRow>;
}

export interface Undo {
  seat: number;
  version: number;
}

export interface UndoAnswer {
  seat: number;
  version: number;
  agree: boolean;
}

export interface UndoAnswerMessage {
  type: "undo_answer";
  seat: number;
  version: number;
  agree: boolean;
  id?: number | null;
}

export interface UndoMessage {
  type: "undo";
  seat: number;
  version: number;
  id?: number | null;
}

export interface UndoRequest {
  seat: number;
  to_ply: number;
  agreed: Array<number>;
  waiting: Array<number>;
}

export interface UsePasskey {
  id: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
  handle: string;
  merge?: boolean;
}

export interface UseProfileLink {
  secret: string;
  merge?: boolean;
}

export interface UseRecovery {
  secret: string;
}

export interface VariantCard {
  name: string;
  title: string;
  sentence: string;
  picture: string;
  settings: Record<string, unknown>;
  lessons: Array<LessonLink>;
  puzzle: string;
  cover: string;
}

export interface WatchTournamentTable {
  table: string;
}
