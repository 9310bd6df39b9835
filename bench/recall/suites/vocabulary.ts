/** The words that generated text is made of: written for these suites, and nobody else's. */
const listOf = (words: string): readonly string[] => words.trim().split(/\s+/);

export const NOUNS = listOf(`
  adapter agenda alarm anchor archive atlas audit award backlog badge balcony banner barrel basin battery beacon bearing
  bench binder blanket blueprint boiler bolt bottle boundary bracket branch bridge briefing brochure bucket budget buffer
  bulletin bundle cabin cabinet cable calendar camera campaign canal candle canvas capsule carpet cart cartridge case
  catalogue ceiling cellar chain chamber channel charger chart checklist chimney circuit clamp clause clinic clock cluster
  coating collection column compass compiler compressor condenser conference console contract controller conveyor cooler
  copper corridor counter courier courtyard cradle crane crate crew crystal cupboard curtain cushion cylinder dashboard
  database deadline deck delivery depot desk detector diagram dial diary digest dishwasher display dock document door drawer
  drill drive duct dynamo easel elevator engine envelope escalator estimate exhibit export fabric facade factory fan feature
  feed fence ferry festival fibre filter firmware fixture flag flange floor flyer folder forecast forklift formula fountain
  frame freezer freight furnace fuse gallery garage garden gasket gate gauge gear generator glacier glossary granary grant
  greenhouse grid guide gutter gymnasium hallway hammer handbook handle hangar harbour harness hatch heater hinge hoist hose
  hotel hub index initiative inlet insulation interview inventory invoice island jacket journal junction kettle kiosk kitchen
  label laboratory ladder lamp landing lantern laptop lathe lattice laundry lawn ledger lens lever library licence lid lift
  locker loft loom machine magnet mailbox manifest manual map market mast meadow memo menu meter microscope mill mirror mixer
  module monitor mosaic motor museum nest network newsletter notebook nozzle nursery oar observatory office orchard outlet oven
  packet paddle painting panel pantry parcel partner passage patch pavilion pedal permit piano pier pipe pipeline piston
  planner plant platform plough plug podium policy pond porch portal poster pottery press printer probe projector proposal
  prototype pulley pump puzzle quarry queue quilt radar radiator rail ramp reactor receipt recipe record reel refinery
  register relay renewal replica report reservoir ribbon ridge rink rod roller roof rotor router rudder runway saddle sail
  sample sandbox satellite sawmill scaffold scale scanner schedule scheduler schema screen script seal seminar sensor server
  shaft shed shelf shelter shipment shutter signal silo sink sketch sleeve sluice socket solvent speaker spindle spring stable
  staircase stand statue steamer stove strainer studio summary survey switch syllabus table tablet tank tap tariff telescope
  template tent terminal terrace theatre thermostat ticket tile toolbox tower tractor trailer tram transformer tray trellis
  trench tripod trolley tunnel turbine turnstile twine valve van vault vehicle vendor ventilator veranda viaduct village vine
  violin voucher wagon walkway wall warehouse washer watermill wharf wheel whistle winch window windmill wire workbench workshop
  yacht yard yarn zeppelin
`);

export const ADJECTIVES = listOf(`
  adjustable amber ancient annual automatic basic blue borrowed brief bright broad broken bronze busy calm careful cheap clean
  clear clever coarse cold common compact complete copper correct covered crimson crowded curved daily damp dark deep dense
  detailed distant double dry durable early eastern economic elastic electric empty even external faded faint fair familiar
  fast final fine firm flat flexible foreign fragile fresh full gentle glossy golden gradual grand green grey half hardened
  heavy helpful hidden high hollow honest huge humid idle indoor inner internal ivory joint large late lateral lean legal
  level light linen local lone long loose loud low main manual marble mature mechanical metal mild minor misty mobile modern
  modest monthly mute narrow native neat neutral new noisy northern nylon oak oblique obvious odd official olive open optional
  orange ordinary oval outdoor outer pale parallel partial patient permanent plain polished portable practical precise primary
  private prompt proper public purple quick quiet rapid rare raw ready recent red regional regular reliable remote robust
  rough round rural rusty sandy secondary second secure semi-automatic separate serial shallow sharp shiny short silent silver
  simple slim slow small smooth soft solid southern spare special square stable standard steady steel steep sticky still stone
  strict strong sturdy sudden sunny swift tall temporary thick thin third tidy tight tiny tough transparent turquoise typical
  uneven unused upper urban useful usual valid vertical violet visible vivid warm weekly western white wide wild wooden woollen
  yellow young zinc
`);

/** In the past: what somebody did to something. */
export const VERBS = listOf(`
  adapted adjusted announced approved arranged assembled assessed balanced borrowed brought built calibrated cancelled carried
  catalogued changed checked cleaned closed collected combined compared completed copied corrected counted covered delivered
  described designed discussed dismantled displayed distributed divided documented doubled drafted drew emptied enlarged
  estimated evaluated examined exchanged explained exported extended fastened filed filled finished fixed folded forwarded
  gathered greased handled hid illustrated imported improved inspected installed insulated introduced investigated joined
  labelled lent levelled lifted listed loaded located locked lowered mapped marked measured mended merged mixed moved named
  negotiated noted opened ordered organised outlined packed painted parked photographed picked placed planned planted polished
  postponed prepared presented printed programmed promoted proposed published raised reached rebuilt received recommended
  recorded recycled reduced refilled registered released removed renewed renovated rented repainted repaired replaced reported
  requested reserved restored returned reviewed revised rewired rinsed sanded scanned scheduled sealed secured selected sent
  separated shifted shipped shortened showed signed simplified sketched sold sorted split stacked started stored studied
  submitted summarised supplied surveyed swapped tested tightened translated transported trimmed tuned unloaded unpacked updated
  varnished verified visited washed watered weighed welded widened wrapped
`);

export const ADVERBS = listOf(`
  again afterwards already briefly carefully cheaply completely directly early eventually exactly finally gladly gradually
  hastily immediately indeed jointly largely lately later mostly neatly nearly officially often partly patiently perhaps
  politely promptly properly quickly quietly rarely recently repeatedly safely separately simply slowly soon steadily suddenly
  surprisingly together twice usually
`);

export const PLACES = listOf(`
  Aldermoor Ashby Barrowdale Beckford Birchwood Blackmere Bramley Brookfield Caldwell Castleton Cedarholm Claybridge Coldharbour
  Cranleigh Dalton Deepwell Dunmore Eastbrook Elmsworth Fairhaven Fernley Foxhill Glenbrook Greywater Hadley Harrowgate
  Hawthorn Hazelmere Highcliff Holbrook Ironbridge Kestrelton Kingsford Lakeside Larkhill Linden Longmead Lowmoor Maplewood
  Marshfield Merrowdown Millbrook Moorgate Netherby Northwick Oakhurst Oldbury Pinecrest Pondbury Quarrybank Ravensworth
  Redcliffe Ridgeway Riverbend Rookhope Saltmarsh Sandbourne Silverdale Southmere Stonehaven Swanley Thornbury Thistleton
  Underhill Valebrook Waterford Wellbeck Westbourne Whitmore Willowby Winterfold Woodstone Yarrow
`);

export const FIRST_NAMES = listOf(`
  Adrian Agnes Alma Amara Anders Anika Anton Arturo Astrid Aurelia Basil Beatriz Bjorn Bruno Camila Caspar Cecilia Clement
  Corinna Damian Daphne Dario Delia Dmitri Edith Eduard Elena Elias Elsa Emeka Enzo Esther Farid Felicia Fiona Florian Freya
  Gabriel Gareth Gemma Gideon Giulia Gregor Hanna Harald Hassan Hedwig Helga Henrik Hugo Ida Ilse Imran Ines Ingrid Irina
  Isolde Ivan Jakob Jasmin Joanna Jolanda Jonas Judith Julian Kamal Karin Katja Keiko Kenji Klara Konrad Lars Laszlo Leila
  Lena Leopold Lorenz Louisa Lucian Ludmila Mabel Magnus Malik Marcel Marek Marina Marten Matilda Milan Miriam Monika Nadia
  Naomi Natalia Nestor Niklas Nora Oleg Olivia Oscar Otto Paloma Pascal Petra Philippa Quentin Rafael Ramona Raul Renata Roland
  Rosalind Rufus Sabine Salma Samuel Sandra Selma Sergei Silvia Simone Stefan Svenja Tamara Tariq Teresa Thandi Thekla Thomas
  Tobias Ulrike Ursula Valentin Vera Viktor Walter Wanda Xenia Yara Yusuf Zelda Zoltan
`);

export const LAST_NAMES = listOf(`
  Abernathy Adeyemi Albrecht Almeida Andrade Applegate Arendt Ashworth Bakker Barlow Baumgart Beaumont Bergstrom Blackwood Borowski
  Brandt Calloway Carvalho Castellan Chandra Cordova Dahlgren Delacroix Dimitrov Donnelly Eberhart Edelstein Ekberg Ellsworth
  Engstrom Espinoza Falkner Fenwick Ferreira Fitzgerald Forsberg Friedrich Galloway Gardiner Gerhardt Goldberg Gruber Gustafson
  Haldane Hammond Hartwell Haugen Hennessy Hidalgo Hofstadter Holbeck Hutchins Ibarra Ivanov Jankowski Jorgensen Kaczmarek
  Kaplan Karlsson Keller Kimura Kjellberg Kowalski Krause Lagerfeld Langley Larkin Lindqvist Lombardi Lundgren Madsen Maldonado
  Marchetti Mbeki McAllister Mendoza Montague Morgenstern Nakamura Navarro Novak Nystrom Okafor Okonkwo Olofsson Ostrander Paget
  Palmieri Pemberton Petrov Quigley Radcliffe Ramires Rasmussen Reinhart Ricardo Rosenthal Rutherford Sandoval Santana Sauerbrey
  Schuster Sheridan Sinclair Sorensen Stavros Strickland Sundberg Takahashi Tanaka Thackeray Thornton Ullmann Underwood Valdez
  Vandermeer Vasquez Villanueva Vogel Wadsworth Wainwright Weatherby Westergaard Whitaker Winslow Yamamoto Yardley Zapata
  Zimmerman
`);

export const WEEKDAYS = listOf("Monday Tuesday Wednesday Thursday Friday Saturday Sunday");
export const MONTHS = listOf(
  "January February March April May June July August September October November December",
);
