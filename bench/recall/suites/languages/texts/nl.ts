import type { Language } from "../language.ts";

export const nl: Language = {
  code: "nl",
  everyday: {
    frame: "{who} {verb} {when} {object}.",
    who: "Anneke;Pieter;Marieke;Joost;Femke;Willem;Sanne;Bram;Lotte;Kees;Hanneke;Ruben",
    when: "op donderdag;in het weekend;morgen;vanavond;volgende week;om twaalf uur;na de lunch;'s avonds;vanmiddag;in april;in november;op de eerste van de maand;om zeven uur;om half tien",
    deeds: [
      "schrijft;leest;controleert;verstuurt;ondertekent|de brief;het contract;de factuur;het verslag;het bestelformulier;de gastenlijst;het persbericht",
      "verkoopt;repareert;poetst;koopt;fotografeert|de fiets;de oude bank;de lamp;de houten boot;de wandklok;de boekenkast;de keukentafel",
      "ontmoet;bezoekt;interviewt|de architect;de burgemeester;de tuinman;de journaliste;de fotograaf;de kleermaker;de imker",
      "test;verbetert;verduidelijkt|het winkelmandje;de grafiek;het afdruksjabloon;de startpagina;de fotogalerij;het contactformulier",
    ],
  },
  facts: `
    1 Marta is allergisch voor pinda's en heeft altijd een adrenalinepen bij zich. => Waarvoor is Marta allergisch? => Wat mag er niet in het eten als we voor Marta koken?
    2 De gebruiker wil korte antwoorden zonder opsommingstekens. => Wat voor antwoorden wil de gebruiker? => Hoe lang moeten reacties zijn, en in welke vorm?
    3 Jonas drinkt zijn koffie zwart, zonder suiker. => Hoe drinkt Jonas zijn koffie? => Neemt Jonas melk in zijn warme dranken?
    4 In de editor heeft de gebruiker het liefst een donker thema met een groot lettertype. => Aan welk thema geeft de gebruiker in de editor de voorkeur? => Hoe moet de ontwikkelomgeving eruitzien?
    5 Onze dochter houdt het allermeest van dinosaurussen. => Waar houdt onze dochter het meest van? => Met welk cadeau maken we ons meisje blij?
    6 Ines is al tien jaar vegetariër. => Sinds wanneer is Ines vegetariër? => Eet Ines vlees?
    7 Op vluchten boekt de gebruiker altijd een plaats bij het raam. => Welke plaats boekt de gebruiker op vluchten? => Waar zit de gebruiker het liefst in een vliegtuig?
    8 Mijn moeder luistert alleen naar klassieke muziek, vooral naar Bach. => Naar wat voor muziek luistert mijn moeder? => Met welke concertkaartjes zou mijn mama blij zijn?
    9 Tomas leidt sinds maart het betalingsteam. => Wie leidt het betalingsteam? => Wie geeft leiding aan de mensen die aan de facturatie werken?
    10 Priya is jarig op 14 oktober. => Wanneer is Priya jarig? => Op welke dag moeten we Priya feliciteren?
    11 Mijn buurman, meneer Keller, is een gepensioneerde timmerman. => Wat was het beroep van mijn buurman, meneer Keller? => Wat deed de man van hiernaast vroeger voor werk?
    12 Onze boekhouder is alleen op dinsdagochtend telefonisch bereikbaar. => Wanneer is onze boekhouder telefonisch bereikbaar? => Wanneer kan ik degene bellen die onze belastingen doet?
    13 Sofia spreekt vloeiend Portugees en Nederlands. => Welke talen spreekt Sofia? => Wie zou een brief uit Lissabon voor ons kunnen vertalen?
    14 De nieuwe stagiaire begint op 1 september. => Wanneer begint de nieuwe stagiaire? => Wanneer komt de leerling bij ons werken?
    15 Onze huisbaas woont in het buitenland en antwoordt alleen per e-mail. => Waar woont onze huisbaas? => Hoe neem ik contact op met de eigenaar van het appartement?
    16 Mijn broer is afgelopen zomer naar Oslo verhuisd. => Waarheen is mijn broer verhuisd? => In welke stad woont mijn broer nu?
    17 De mobiele app moet vóór de beurs in mei klaar zijn. => Wanneer moet de mobiele app klaar zijn? => Wanneer moeten we de smartphonetoepassing uiterlijk opleveren?
    18 De klant heeft ons eerste ontwerp afgewezen omdat het te kleurrijk was. => Waarom heeft de klant ons eerste ontwerp afgewezen? => Waarom vond de opdrachtgever de eerste schets niet mooi?
    19 Het budget voor het nieuwe magazijn is 80.000 euro. => Hoe groot is het budget voor het nieuwe magazijn? => Hoeveel geld mogen we aan de opslagloods uitgeven?
    20 De vertaling van de handleiding loopt twee weken achter op schema. => Hoeveel loopt de vertaling van de handleiding achter op schema? => Hoeveel vertraging hebben de gebruiksaanwijzingen in andere talen?
    21 De proef in het ziekenhuis is voortijdig beëindigd omdat de verpleegkundigen klaagden over trage schermen. => Waarom is de proef in het ziekenhuis voortijdig beëindigd? => Waarom is de pilot in de kliniek stopgezet?
    22 De codenaam voor de herschreven zoekfunctie is Heron. => Wat is de codenaam voor de herschreven zoekfunctie? => Hoe noemen we de nieuwe zoekmachine intern?
    23 Op de eerste maandag van elke maand verschijnt een nieuwe versie. => Wanneer verschijnt er een nieuwe versie? => Hoe vaak komen er releases uit?
    24 De weerwidget wordt open source onder de MIT-licentie. => Onder welke licentie wordt de weerwidget uitgebracht? => Onder welke juridische voorwaarden geven we de code van het voorspellingsonderdeel weg?
    25 In de stagingomgeving luistert Postgres op poort 5433. => Welke poort gebruikt Postgres in de stagingomgeving? => Hoe maak ik verbinding met de testdatabase?
    26 Back-ups draaien elke nacht om drie uur en worden dertig dagen bewaard. => Hoelang worden back-ups bewaard? => Hoelang kunnen verloren gegevens worden hersteld?
    27 Meldingen gaan naar het kanaal #on-call en niet per mail. => Waar gaan meldingen naartoe? => Waar verschijnen waarschuwingen over een storing?
    28 Elke API-sleutel mag honderd verzoeken per minuut doen. => Hoeveel verzoeken per minuut mag een API-sleutel doen? => Hoe vaak mag een client onze interface aanroepen voordat hij wordt afgeknepen?
    29 Geüploade afbeeldingen mogen niet groter zijn dan 10 megabyte. => Hoe groot mogen geüploade afbeeldingen zijn? => Hoe groot kan een fotobestand zijn?
    30 De productieservers staan in Frankfurt. => Waar staan de productieservers? => Waar wordt ons live systeem gehost?
    31 Wachtwoorden horen in de kluis, nooit in omgevingsbestanden. => Waar horen wachtwoorden thuis? => Waar moeten geheimen worden opgeslagen?
    32 Het certificaat van de website verloopt op 30 november. => Wanneer verloopt het certificaat van de website? => Vóór welke datum moeten we TLS vernieuwen?
    33 Een sessie eindigt na vijftien minuten zonder activiteit. => Na hoeveel minuten zonder activiteit eindigt een sessie? => Wanneer wordt een gebruiker die niets doet automatisch uitgelogd?
    34 We hebben Kafka verkozen boven RabbitMQ omdat berichten opnieuw afspeelbaar moeten zijn. => Waarom hebben we voor Kafka gekozen? => Welke messagebroker hebben we gekozen, en om welke reden?
    35 Het team heeft besloten Internet Explorer niet langer te ondersteunen. => Welke browser ondersteunt het team niet langer? => Om welke browser bekommeren we ons niet meer?
    36 De prijzen gaan in januari met vijf procent omhoog. => Hoeveel gaan de prijzen in januari omhoog? => Hoeveel meer gaan klanten volgend jaar betalen?
    37 Vóór de zomer nemen we niemand aan. => Wanneer gaan we weer mensen aannemen? => Zijn er op dit moment vacatures?
    38 Alle datums worden in UTC opgeslagen. => In welke tijdzone worden datums opgeslagen? => Welke tijdzone gebruiken we bij het bewaren van tijdstempels?
    39 Het kantoor blijft tussen Kerst en Nieuwjaar gesloten. => Wanneer is het kantoor gesloten? => Is er in de laatste week van december iemand aan het werk?
    40 Elke wijziging heeft de goedkeuring van twee reviewers nodig. => Hoeveel reviewers moeten een wijziging goedkeuren? => Hoeveel mensen moeten een pull request bekijken voordat die wordt gemerged?
    41 De weekplanning is verschoven van maandag naar woensdag om tien uur. => Wanneer vindt de weekplanning plaats? => Wanneer gaan we samen zitten om de week in te delen?
    42 Op de bestuursvergadering heeft Nadia de verkoopcijfers gepresenteerd. => Wie heeft op de bestuursvergadering de verkoopcijfers gepresenteerd? => Wie sprak er tegenover de directie over de omzet?
    43 Het gesprek met de leverancier ging niet door vanwege de staking. => Waarom ging het gesprek met de leverancier niet door? => Waarom hebben we de toeleverancier niet gesproken?
    44 Uit de retrospective bleek dat het draaien van de tests te lang duurt. => Wat bleek er uit de retrospective? => Waar stoorden de ontwikkelaars zich het meest aan toen ze op de sprint terugkeken?
    45 Het importscript crasht als een regel een puntkomma bevat. => Wanneer crasht het importscript? => Door welk teken mislukt het inladen van de gegevens?
    46 Onze trein naar Wenen vertrekt om 7.42 uur van spoor 9. => Hoe laat vertrekt onze trein naar Wenen? => Hoe laat gaan we naar Oostenrijk?
    47 In Kyoto logeerden we in een kleine herberg aan de rivier. => Waar logeerden we in Kyoto? => Waar hebben we tijdens onze reis naar Japan geslapen?
    48 Mijn paspoort is geldig tot 2031. => Tot wanneer is mijn paspoort geldig? => Wanneer moet ik uiterlijk nieuwe reisdocumenten aanvragen?
    49 Voor onze vakantie in Schotland hebben we een camper gehuurd. => Wat hebben we voor onze vakantie in Schotland gehuurd? => Waarmee reden we rond op onze tocht door de Hooglanden?
    50 De koffer met het kapotte wieltje staat in de kelder. => Waar is de koffer met het kapotte wieltje? => Waar is de beschadigde bagage?
    51 Opa neemt elke ochtend een pil voor zijn bloeddruk. => Wat neemt opa elke ochtend? => Welk medicijn krijgt grootvader?
    52 Mijn afspraak bij de tandarts is donderdag om half vijf. => Wanneer is mijn afspraak bij de tandarts? => Wanneer wordt mijn gebit nagekeken?
    53 De dokter heeft Karim aangeraden om voor zijn rug twee keer per week te zwemmen. => Wat heeft de dokter Karim aangeraden? => Welke sport moet Karim doen tegen de pijn?
    54 Sinds haar operatie kan tante Rosa geen trappen meer lopen. => Sinds wanneer kan tante Rosa geen trappen meer lopen? => Waarom heeft Rosa een appartement met lift nodig?
    55 De reservesleutel ligt onder de blauwe bloempot. => Waar ligt de reservesleutel? => Hoe kom ik het huis in als ik mezelf heb buitengesloten?
    56 De wasmachine lekt tijdens het centrifugeren. => Wanneer lekt de wasmachine? => Welk huishoudelijk apparaat verliest water?
    57 De kat krijgt alleen 's avonds eten. => Wanneer krijgt de kat eten? => Op welk moment van de dag wordt ons huisdier gevoerd?
    58 Oud papier wordt om de twee weken op vrijdag opgehaald. => Hoe vaak wordt oud papier opgehaald? => Wanneer moeten oude kranten aan de straat worden gezet?
    59 De functie die datums parseert, gaat de mist in bij schrikkeljaren. => In welke jaren gaat de functie die datums parseert de mist in? => Welke bug hebben we met 29 februari?
    60 De tests draaien parallel en mogen daarom geen tijdelijke map delen. => Waarom mogen de tests geen tijdelijke map delen? => Waarom heeft elk testgeval een eigen directory nodig?
  `,
};
